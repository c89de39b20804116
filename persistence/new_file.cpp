#include "persistence/new_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "persistence/admission.h"

namespace landsraad::persistence {

namespace {

template <class T>
Result<T> failed(const std::string& what, const std::string& path) {
  return refusal<T>({StoreError::unavailable, "cannot " + what + " " + path + ": " + std::strerror(errno)});
}

template <class T>
Result<T> is_there(const std::string& path) {
  return refusal<T>({StoreError::exists, path + " is there already; move it away or choose another name"});
}

bool exists(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0;
}

// Whether the path still leads to the open file: another process may have finished and renamed it.
bool is_at(int descriptor, const std::string& path) {
  struct stat ours {
  }, there{};
  return fstat(descriptor, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

// Without replacing anything. Some file systems cannot do that in one step.
int give_name(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (exists(to)) return errno = EEXIST, -1;
  return std::rename(from.c_str(), to.c_str());
}

bool sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = fsync(descriptor) == 0;
  ::close(descriptor);
  return synced;
}

}  // namespace

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

NewFile& NewFile::operator=(NewFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  unlink(part().c_str());
  ::close(descriptor_);
}

Result<NewFile> NewFile::begin(const std::string& path) {
  if (exists(path)) return is_there<NewFile>(path);
  const std::string part = path + ".part";
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return failed<NewFile>("write", part);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 || !is_at(descriptor, part)) {
    ::close(descriptor);
    return refusal<NewFile>({StoreError::unavailable, "another process is writing " + part});
  }
  NewFile file;
  file.path_ = path;
  file.descriptor_ = descriptor;
  // What a process left that was killed.
  if (ftruncate(descriptor, 0) != 0) return failed<NewFile>("write", part);
  return success(std::move(file));
}

Result<int> NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed<int>("write", part());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return success(0);
}

Result<int> NewFile::finish() {
  if (fsync(descriptor_) != 0) return failed<int>("write", part());
  if (give_name(part(), path_) != 0)
    return errno == EEXIST ? is_there<int>(path_) : failed<int>("write", path_);
  ::close(std::exchange(descriptor_, -1));
  if (!sync_folder_of(path_)) return failed<int>("sync the folder of", path_);
  return success(0);
}

}  // namespace landsraad::persistence
