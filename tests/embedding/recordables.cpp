#include "recordable_parts.hpp"

std::vector<Recordable> recordables(proxel::Device& device) {
  recordable::List list(device);
  recordable::add_rows(list);
  recordable::add_rows_without_themselves(list);
  recordable::add_objects(list);
  recordable::add_graphs(list);
  recordable::add_images(list);
  recordable::add_ranges(list);
  recordable::add_selections(list);
  return list.take();
}
