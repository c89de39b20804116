#include "persistence/store.h"

namespace landsraad::persistence {

std::string_view name(StoreError error) {
  switch (error) {
    case StoreError::none:
      return "none";
    case StoreError::conflict:
      return "conflict";
    case StoreError::fenced:
      return "fenced";
    case StoreError::exists:
      return "exists";
    case StoreError::not_found:
      return "not_found";
    case StoreError::closed:
      return "closed";
    case StoreError::unavailable:
      return "unavailable";
    case StoreError::corrupt:
      return "corrupt";
    case StoreError::invalid:
      return "invalid";
  }
  return "unknown";
}

}  // namespace landsraad::persistence
