#include "tests/unit/shell_world.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "persistence/sqlite/sqlite_store.h"
#include "rules/notation/load.h"
#include "server/net/server.h"

namespace landsraad::net {

room::Limits patient_limits() {
  room::Limits limits;
  limits.message_burst = 1'000'000;
  return limits;
}

TemporaryPath::TemporaryPath(std::string_view suffix) {
  static int count = 0;
  const std::string name =
      "landsraad-shell-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + std::string(suffix);
  path_ = (std::filesystem::temp_directory_path() / name).native();
}

TemporaryPath::~TemporaryPath() {
  for (const char* suffix : {"", "-wal", "-shm", "-lock"}) std::filesystem::remove(path_ + suffix);
}

// ---- Servers.

RunningServer::RunningServer(const room::Limits& limits, Shards::Door door,
                             std::unique_ptr<persistence::Store> store)
    : shards_(limits, 2, library_, std::move(door)),
      store_(std::move(store)),
      listener_(shards_),
      operations_(shards_, Port::operations) {
  if (!store_) {
    persistence::SqliteSettings settings;
    settings.path = database_.path();
    auto opened = persistence::SqliteStore::open(settings);
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    store_ = std::move(opened.value);
  }
  shards_.set_store(*store_);
  REQUIRE(listener_.open("127.0.0.1", 0).empty());
  REQUIRE(operations_.open("127.0.0.1", 0).empty());
  asio::co_spawn(shards_[0].executor(), listener_.run(), asio::detached);
  asio::co_spawn(shards_[0].executor(), operations_.run(), asio::detached);
  shards_.start();
}

RunningServer::~RunningServer() {
  shards_.stop();
  store_.reset();
}

Config small_config(const TemporaryPath& database) {
  Config config;
  config.database = database.path();
  config.metrics_port.reset();
  config.log.level = "off";
  return config;
}

ServerProcess::ServerProcess(Config config) {
  config.address = "127.0.0.1";
  config.port = 0;
  config.threads = 2;
  std::array<int, 2> output{};
  REQUIRE(::pipe(output.data()) == 0);
  std::cout.flush();  // or the child would write it once more
  std::fflush(stdout);
  process_ = ::fork();
  REQUIRE(process_ >= 0);
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // also if the test itself dies
    ::dup2(output[1], STDOUT_FILENO);
    ::_exit(serve(config));
  }
  ::close(output[1]);
  char c = 0;
  while (::read(output[0], &c, 1) == 1 && c != '\n') greeting_ += c;
  ::close(output[0]);
  const std::size_t colon = greeting_.rfind(':');
  REQUIRE_MESSAGE(colon != std::string::npos, greeting_);
  port_ = static_cast<std::uint16_t>(std::stoi(greeting_.substr(colon + 1)));
}

ServerProcess::~ServerProcess() {
  if (process_ == 0) return;
  signal(SIGKILL);
  wait();
}

void ServerProcess::signal(int number) const { ::kill(process_, number); }

int ServerProcess::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = 0;
  return status;
}

// ---- Bytes.

struct ClientLine::Tls {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* ssl = SSL_new(context);
  ~Tls() {
    SSL_free(ssl);
    SSL_CTX_free(context);
  }
};

ClientLine::ClientLine(std::uint16_t port, bool tls) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  if (!tls) return;
  tls_ = std::make_unique<Tls>();
  SSL_set_fd(tls_->ssl, socket_);
  if (SSL_connect(tls_->ssl) != 1) break_off();
}

ClientLine::~ClientLine() { break_off(); }

bool ClientLine::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = tls_ ? SSL_write(tls_->ssl, bytes.data(), static_cast<int>(bytes.size()))
                           : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

std::string ClientLine::read(std::size_t most) {
  std::string bytes(most, '\0');
  const auto size = tls_ ? SSL_read(tls_->ssl, bytes.data(), static_cast<int>(most))
                         : ::recv(socket_, bytes.data(), most, 0);
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return bytes;
}

std::string ClientLine::certificate_name() const {
  X509* certificate = SSL_get1_peer_certificate(tls_->ssl);
  if (certificate == nullptr) return {};
  std::array<char, 64> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(), name.size());
  X509_free(certificate);
  return name.data();
}

void ClientLine::stop_sending() { shutdown(socket_, SHUT_WR); }

void ClientLine::break_off() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

std::string ask_http(std::uint16_t port, const std::string& request, bool tls) {
  ClientLine line(port, tls);
  line.write(request);
  std::string answer;
  for (std::string part = line.read(4096); !part.empty(); part = line.read(4096)) answer += part;
  return answer;
}

std::string get(std::uint16_t port, const std::string& path, bool tls) {
  return ask_http(port, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", tls);
}

// ---- WebSockets (RFC 6455).

Caller::Caller(std::uint16_t port, const Call& call) : line_(port, call.tls) {
  line_.write(
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Sec-WebSocket-Protocol: " +
      call.subprotocol + "\r\n" + call.headers + "\r\n");
  std::size_t end = std::string::npos;
  while ((end = arrived_.find("\r\n\r\n")) == std::string::npos)
    if (!fill(arrived_.size() + 1)) return;
  const std::string head = take(end + 4);
  status_ = std::stoi(head.substr(head.find(' ') + 1));
  if (status_ == 101) CHECK(head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != std::string::npos);
}

bool Caller::fill(std::size_t wanted) {
  while (arrived_.size() < wanted) {
    const std::string more = line_.read(64 * 1024);
    if (more.empty()) return false;
    arrived_ += more;
  }
  return true;
}

std::string Caller::take(std::size_t size) {
  std::string bytes = arrived_.substr(0, size);
  arrived_.erase(0, size);
  return bytes;
}

bool Caller::send_frame(Opcode opcode, std::string_view bytes, bool final) {
  constexpr std::array<unsigned char, 4> mask{0x12, 0x34, 0x56, 0x78};
  std::string frame(1, static_cast<char>((final ? 0x80 : 0) | opcode));
  if (bytes.size() < 126) {
    frame += static_cast<char>(0x80 | bytes.size());
  } else {
    REQUIRE(bytes.size() <= 0xffff);
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(bytes.size() >> 8);
    frame += static_cast<char>(bytes.size());
  }
  frame.append(mask.begin(), mask.end());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    frame += static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ mask[i % 4]);
  return line_.write(frame);
}

std::uint64_t Caller::send(v1::ClientMessage message) {
  message.set_request_id(++requests_);
  send_frame(binary, message.SerializeAsString());
  return requests_;
}

std::optional<v1::ServerMessage> Caller::read() {
  for (;;) {
    if (!fill(2)) return std::nullopt;
    const std::string head = take(2);
    const unsigned opcode = static_cast<unsigned char>(head[0]) & 0x0fU;
    CHECK((static_cast<unsigned char>(head[0]) & 0xf0U) == 0x80U);  // final, nothing reserved
    std::size_t size = static_cast<unsigned char>(head[1]);
    CHECK(size < 128);  // servers do not mask
    if (const std::size_t extra = size == 126 ? 2 : size == 127 ? 8 : 0; extra != 0) {
      if (!fill(extra)) return std::nullopt;
      size = 0;
      for (const char c : take(extra)) size = size << 8 | static_cast<unsigned char>(c);
    }
    if (!fill(size)) return std::nullopt;
    const std::string bytes = take(size);
    if (opcode == bye) {
      if (size >= 2)
        close_code_ = static_cast<unsigned char>(bytes[0]) << 8 | static_cast<unsigned char>(bytes[1]);
      if (!silent_) send_frame(bye, bytes.substr(0, 2));
      return std::nullopt;
    }
    if (opcode == ping) {
      ++pings_;
      if (!silent_) send_frame(pong, bytes);
    }
    if (opcode != binary) continue;
    v1::ServerMessage message;
    REQUIRE(message.ParseFromString(bytes));
    return message;
  }
}

std::optional<v1::ServerMessage> Caller::ask(const v1::ClientMessage& message) {
  const std::uint64_t request = send(message);
  for (;;) {
    std::optional<v1::ServerMessage> answer = read();
    if (!answer || answer->reply_to() == request) return answer;
  }
}

bool Caller::alive() {
  v1::ClientMessage message;
  message.mutable_ping();
  const auto answer = ask(message);
  return answer && answer->has_pong();
}

std::optional<v1::ServerMessage> Caller::greet() {
  v1::ClientMessage message;
  message.mutable_hello()->set_name("Chani");
  return ask(message);
}

// ---- Certificates.

void make_certificate(const std::string& name, const std::string& certificate, const std::string& key) {
  constexpr long day = 24 * 3600;
  EVP_PKEY* pair = EVP_EC_gen("P-256");
  X509* x509 = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -day);
  X509_gmtime_adj(X509_getm_notAfter(x509), day);
  X509_set_pubkey(x509, pair);
  X509_NAME* subject = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(x509, subject);
  REQUIRE(X509_sign(x509, pair, EVP_sha256()) != 0);
  std::FILE* file = std::fopen(certificate.c_str(), "w");
  PEM_write_X509(file, x509);
  std::fclose(file);
  file = std::fopen(key.c_str(), "w");
  PEM_write_PrivateKey(file, pair, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  X509_free(x509);
  EVP_PKEY_free(pair);
}

}  // namespace landsraad::net
