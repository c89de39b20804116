// A file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "persistence/store.h"

namespace landsraad::persistence {

// Grows as PATH.part, which only this process may write to, and gets its name when it is complete and on the
// disk. Nothing is ever overwritten. What is not finished is removed with the object.
class NewFile {
 public:
  // exists if there is something at `path`; unavailable if it cannot be written there, or another process is
  // writing it. Only the user may read the file.
  static Result<NewFile> begin(const std::string& path);

  NewFile() = default;
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&& other) noexcept;
  ~NewFile();

  // Where to write in other ways than by write(). Closing a file of this name drops no lock of ours.
  std::string part() const { return path_ + ".part"; }
  // unavailable, with the reason: no space, for instance.
  Result<int> write(std::string_view bytes);
  // Syncs, gives the file its name and syncs the folder. exists, unavailable.
  Result<int> finish();

 private:
  std::string path_{};
  int descriptor_ = -1;
};

}  // namespace landsraad::persistence
