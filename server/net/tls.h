// TLS with a certificate from files. OpenSSL stays behind this header.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "server/net/beast.h"

namespace landsraad::net {

using Socket = asio::basic_stream_socket<tcp, asio::io_context::executor_type>;
using IoDone = std::function<void(error_code, std::size_t)>;  // runs on the socket's context

// The server's side of TLS on one socket, which outlives it. One read and one write at a time.
class TlsStream {
 public:
  virtual ~TlsStream() = default;
  virtual void handshake(IoDone done) = 0;
  virtual void read_some(asio::mutable_buffer buffer, IoDone done) = 0;
  virtual void write_some(asio::const_buffer buffer, IoDone done) = 0;
  virtual void shut_down(IoDone done) = 0;
};

// The certificate that new connections get. May be replaced at any time, from any thread.
class TlsCertificate {
 public:
  // PEM files: the certificate with its chain, and its key without a passphrase. What is wrong with them, or
  // nothing; then the certificate from before stays.
  std::string load(const std::string& certificate, const std::string& key);

  // nullptr if nothing was loaded: connections are plain.
  std::unique_ptr<TlsStream> stream(Socket& socket) const;

 private:
  struct Context;
  mutable std::mutex mutex_;  // for a moment, when a connection begins
  std::shared_ptr<Context> context_;
};

}  // namespace landsraad::net
