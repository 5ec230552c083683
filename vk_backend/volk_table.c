/* volk, compiled for proxel alone: CMake makes every symbol of this object
   local but the one below, so that an application with a volk of its own, or
   one that links the loader, meets no second definition. volkInitialize is
   never called; the table is filled through the given get-proc-addr. */
#include <volk.c>

struct proxel_table_source {
  VkDevice device;
  PFN_vkGetDeviceProcAddr get;
};

static PFN_vkVoidFunction proxel_table_function(void* context, const char* name) {
  const struct proxel_table_source* source = (const struct proxel_table_source*)context;
  return source->get(source->device, name);
}

/* Hidden, so that a shared proxel does not export it. */
__attribute__((visibility("hidden"))) void proxel_load_device_table(struct VolkDeviceTable* table, VkDevice device,
                                                                    PFN_vkGetDeviceProcAddr get) {
  struct proxel_table_source source = {device, get};
  volkGenLoadDeviceTable(table, &source, proxel_table_function);
}
