#include "instance.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "proxel/vulkan.hpp"

namespace proxel::vulkan {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";
std::atomic<std::uint64_t> message_count{0};

std::string_view validation_mode() {
  const char* mode = std::getenv("PROXEL_VALIDATION");
  return mode ? mode : "";
}
bool validating() { return !validation_mode().empty() && validation_mode() != "0"; }

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  ++message_count;
  std::fprintf(stderr, "proxel: Vulkan validation: %s\n", data->pMessage);
  if (validation_mode() == "fatal") std::abort();
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info() {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = on_message;
  return info;
}

template <typename Properties, typename Member>
bool contains(const std::vector<Properties>& list, Member member, const char* name) {
  for (const Properties& entry : list)
    if (std::strcmp(entry.*member, name) == 0) return true;
  return false;
}

}  // namespace

std::uint64_t validation_messages() { return message_count; }

const Instance& Instance::get() {
  // Never destroyed: drivers and layers have static objects of their own, which may be gone by
  // then, and threads; where memory is short, destroying takes locks that a failure has left.
  static const Instance& instance = *new Instance;
  return instance;
}

Instance::Instance() {
  library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library_) {
    available_ = Support::no("the Vulkan loader (libvulkan.so.1) was not found");
    return;
  }
  get_proc_addr_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
  try {
    create();
  } catch (const Error& error) {
    const std::string_view why = error.what(), subject = "vulkan: ";
    available_ = Support::no(std::string(why.substr(why.starts_with(subject) ? subject.size() : 0)));
  }
}

void Instance::create() {
  const auto load = [&](const char* name) { return get_proc_addr_(VK_NULL_HANDLE, name); };
  const auto enumerate_extensions =
      reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(load("vkEnumerateInstanceExtensionProperties"));
  const auto enumerate_layers =
      reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(load("vkEnumerateInstanceLayerProperties"));
  const auto create_instance = reinterpret_cast<PFN_vkCreateInstance>(load("vkCreateInstance"));

  std::uint32_t count = 0;
  enumerate_extensions(nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  enumerate_extensions(nullptr, &count, extensions.data());
  enumerate_layers(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  enumerate_layers(&count, layers.data());

  std::vector<const char*> wanted;
  debug_utils_ = contains(extensions, &VkExtensionProperties::extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (debug_utils_) wanted.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "proxel";
  application.pEngineName = "proxel";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;

  const VkValidationFeatureEnableEXT enable[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enable;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
  if (validating()) {
    if (!contains(layers, &VkLayerProperties::layerName, validation_layer))
      throw Error(ErrorCode::not_found, "PROXEL_VALIDATION",
                  fmt::format("the layer {} is not installed", validation_layer));
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    wanted.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    features.pNext = &messenger;
    info.pNext = &features;
  }
  info.enabledExtensionCount = static_cast<std::uint32_t>(wanted.size());
  info.ppEnabledExtensionNames = wanted.data();
  const VkResult created = create_instance(&info, nullptr, &instance_);
  if (created == VK_ERROR_INCOMPATIBLE_DRIVER) {
    available_ = Support::no(
        "the Vulkan loader found no driver; GPUs' drivers bring theirs, and Mesa's package has one for processors");
    return;
  }
  check(created, "vkCreateInstance");
  functions_ = InstanceFunctions::load(instance_, get_proc_addr_);
  if (validating())
    check(functions_.vkCreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_),
          "vkCreateDebugUtilsMessengerEXT");

  check(functions_.vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  physical_devices_.resize(count);
  check(functions_.vkEnumeratePhysicalDevices(instance_, &count, physical_devices_.data()),
        "vkEnumeratePhysicalDevices");
  if (count == 0) available_ = Support::no("the Vulkan loader found no device");
}

}  // namespace proxel::vulkan
