// A server under measurement.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tools/load/loop.h"

namespace landsraad::load {

// A folder for a server's files, removed with everything in it at the end.
class Folder {
 public:
  explicit Folder(const std::string& parent);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A process that prints "listening on ws://HOST:PORT" when it is ready; ended with the object.
class Process {
 public:
  // Starts it and waits for `listeners` such lines. What it writes to standard error goes to ours.
  Process(const std::vector<std::string>& command, std::size_t listeners);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const std::vector<Address>& addresses() const { return addresses_; }

  std::chrono::microseconds cpu() const;  // used by all its threads so far, in user code and in the kernel
  std::uint64_t resident_bytes() const;

 private:
  void read_addresses(int descriptor, std::size_t listeners);

  pid_t pid_ = -1;
  std::vector<Address> addresses_;
};

// HOST:PORT, with or without ws:// before and a path behind it. Throws what is wrong.
Address read_address(const std::string& url);

}  // namespace landsraad::load
