#include "server/room/library.h"

#include "landsraad/v1/record.pb.h"

namespace landsraad::room {

std::string write_edition(std::string_view product, std::span<const rules::ContentFile> files) {
  v1::Edition edition;
  edition.set_product(product.data(), product.size());
  for (const rules::ContentFile& file : files) {
    v1::EditionFile& stored = *edition.add_files();
    stored.set_path(file.path.data(), file.path.size());
    stored.set_text(file.text.data(), file.text.size());
  }
  return edition.SerializeAsString();
}

std::string Library::add(std::string_view stored) {
  v1::Edition edition;
  if (!edition.ParseFromArray(stored.data(), static_cast<int>(stored.size())))
    return "An edition of the cards does not read as one.";
  std::vector<rules::ContentFile> files;
  for (const v1::EditionFile& file : edition.files()) files.push_back({file.path(), file.text()});
  rules::LoadResult loaded = rules::load_content(edition.product(), files);
  if (!loaded.errors.empty())
    return "This version cannot read an older edition of the cards: " +
           rules::notation::to_text(loaded.errors.front());
  std::string version = loaded.content.version;
  if (version != current_->version)
    others_.try_emplace(std::move(version), std::make_unique<rules::Content>(std::move(loaded.content)));
  return {};
}

const rules::Content& Library::of_game(const std::vector<std::string>& records) const {
  v1::GameSetup setup;
  if (records.empty() || !setup.ParseFromString(records.front())) return *current_;
  const auto it = others_.find(setup.content_version());
  return it == others_.end() ? *current_ : *it->second;
}

}  // namespace landsraad::room
