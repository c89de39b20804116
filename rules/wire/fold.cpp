#include "rules/wire/fold.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <vector>

namespace landsraad::wire {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::RepeatedPtrField;

// Every field that is present replaces the old one as a whole.
void replace_present(Message& kept, const Message& changes) {
  std::vector<const FieldDescriptor*> present;
  changes.GetReflection()->ListFields(changes, &present);
  for (const FieldDescriptor* field : present) kept.GetReflection()->ClearField(&kept, field);
  kept.MergeFrom(changes);
}

template <class Part>
Part& part_with_id(RepeatedPtrField<Part>& parts, std::uint32_t id) {
  for (Part& part : parts)
    if (part.id() == id) return part;
  Part& added = *parts.Add();
  added.set_id(id);
  return added;
}

template <class Part>
void fold_parts(RepeatedPtrField<Part>& kept, const RepeatedPtrField<Part>& changes) {
  for (const Part& part : changes) replace_present(part_with_id(kept, part.id()), part);
}

}  // namespace

void fold(v1::GameView& view, const v1::GameView& changes) {
  fold_parts(*view.mutable_seats(), changes.seats());
  fold_parts(*view.mutable_spaces(), changes.spaces());
  fold_parts(*view.mutable_posts(), changes.posts());
  v1::GameView whole = changes;
  whole.clear_seats();
  whole.clear_spaces();
  whole.clear_posts();
  replace_present(view, whole);
}

}  // namespace landsraad::wire
