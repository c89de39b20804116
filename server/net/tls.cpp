#include "server/net/tls.h"

#include <boost/asio/ssl.hpp>
#include <utility>

namespace landsraad::net {

namespace ssl = asio::ssl;

struct TlsCertificate::Context {
  ssl::context ssl{ssl::context::tls_server};
};

namespace {

class OpenSslStream final : public TlsStream {
 public:
  OpenSslStream(Socket& socket, ssl::context& context) : stream_(socket, context) {}

  void handshake(IoDone done) override {
    stream_.async_handshake(ssl::stream_base::server,
                            [done = std::move(done)](error_code error) { done(error, 0); });
  }
  void read_some(asio::mutable_buffer buffer, IoDone done) override {
    stream_.async_read_some(buffer, std::move(done));
  }
  void write_some(asio::const_buffer buffer, IoDone done) override {
    stream_.async_write_some(buffer, std::move(done));
  }
  void shut_down(IoDone done) override {
    stream_.async_shutdown([done = std::move(done)](error_code error) { done(error, 0); });
  }

 private:
  ssl::stream<Socket&> stream_;
};

}  // namespace

std::string TlsCertificate::load(const std::string& certificate, const std::string& key) {
  auto fresh = std::make_shared<Context>();
  error_code error;
  const auto failed = [&error](const std::string& what) { return what + ": " + error.message(); };
  fresh->ssl.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                         ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  SSL_CTX_set_min_proto_version(fresh->ssl.native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_mode(fresh->ssl.native_handle(), SSL_MODE_RELEASE_BUFFERS);  // an idle connection needs none
  // A key with a passphrase must fail, not ask for it on the terminal.
  fresh->ssl.set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); },
                                   error);
  fresh->ssl.use_certificate_chain_file(certificate, error);
  if (error) return failed("cannot use the certificate " + certificate);
  fresh->ssl.use_private_key_file(key, ssl::context::pem, error);
  if (error) return failed("cannot use the key " + key);
  if (SSL_CTX_check_private_key(fresh->ssl.native_handle()) != 1)
    return "the key " + key + " does not belong to the certificate " + certificate;
  const std::scoped_lock lock(mutex_);
  context_ = std::move(fresh);
  return {};
}

// The stream keeps its own hold of OpenSSL's context, so a reload disturbs nobody.
std::unique_ptr<TlsStream> TlsCertificate::stream(Socket& socket) const {
  const std::scoped_lock lock(mutex_);
  if (!context_) return nullptr;
  return std::make_unique<OpenSslStream>(socket, context_->ssl);
}

}  // namespace landsraad::net
