#include "shell/window.hpp"

#include <map>
#include <tuple>
#include <utility>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include "proxel/error.hpp"

namespace demo {

struct Window::Callbacks {
  static Window& of(GLFWwindow* window) {
    Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.stirred_ = true;
    return self;
  }
  static void add(GLFWwindow* window, const Input::Event& event) { of(window).input_.add(event); }

  static void set(GLFWwindow* window) {
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
      add(w, Input::Move{static_cast<float>(x), static_cast<float>(y)});
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
      if (button < 3) add(w, Input::Button{button, action == GLFW_PRESS});
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
      add(w, Input::Wheel{static_cast<float>(x), static_cast<float>(y)});
    });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int code, int, int action, int) {
      const auto key = key_from_glfw(code);
      if (key && action != GLFW_REPEAT) add(w, Input::Press{*key, action == GLFW_PRESS});
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) { add(w, Input::Text{character}); });
    glfwSetDropCallback(
        window, [](GLFWwindow* w, int count, const char** paths) { of(w).dropped_.assign(paths, paths + count); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
      if (!entered) add(w, Input::Move{-1e6f, -1e6f});
    });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { of(w); });
  }
};

Window::Window(VkExtent2D size, const char* title, Input& input) : input_(input) {
  const auto refuse = [](const char* what) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    throw proxel::Error(proxel::ErrorCode::unsupported, "window",
                        std::string(what) + (reason ? std::string(": ") + reason : ""));
  };
  if (!glfwInit()) refuse("there is no display to open one on; --offscreen draws without");
  if (!glfwVulkanSupported()) refuse("no Vulkan device shows anything on this display");
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  window_ = glfwCreateWindow(static_cast<int>(size.width), static_cast<int>(size.height), title, nullptr, nullptr);
  if (!window_) refuse("it could not be opened");
  glfwSetWindowUserPointer(window_, this);
  Callbacks::set(window_);

  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
#if IMGUI_VERSION_NUM >= 19110
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = window_;
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { glfwSetClipboardString(nullptr, text); };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return glfwGetClipboardString(nullptr); };
#else
  io.SetClipboardTextFn = [](void*, const char* text) { glfwSetClipboardString(nullptr, text); };
  io.GetClipboardTextFn = [](void*) { return glfwGetClipboardString(nullptr); };
#endif
}

Window::~Window() {
  detach();
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

std::vector<const char*> Window::instance_extensions() {
  std::uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names + count};
}

bool Window::presents(VkInstance instance, VkPhysicalDevice device, std::uint32_t family) {
  return glfwGetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
}

void Window::attach(gpu::Gpu& gpu) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  gpu::require(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
  swapchain_ = std::make_unique<gpu::Swapchain>(gpu, surface);
  attach_anew();
}

void Window::attach_anew() {
  if (!swapchain_->attach(size()))
    throw proxel::Error(proxel::ErrorCode::unsupported, "window",
                        "the chosen Vulkan device cannot show anything on this display");
}

void Window::take_events(double seconds) {
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

void Window::wake() { glfwPostEmptyEvent(); }
bool Window::closed() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }

bool Window::minimised() const {
  const VkExtent2D now = size();
  return now.width == 0 || now.height == 0;
}

bool Window::stirred() {
  const bool stirred = stirred_;
  stirred_ = false;
  return stirred;
}

VkExtent2D Window::size() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x;
}

void Window::resize(VkExtent2D size) {
  glfwSetWindowSize(window_, static_cast<int>(size.width), static_cast<int>(size.height));
}

void Window::toggle_full_screen() {
  auto [x, y, width, height] = std::tie(before_[0], before_[1], before_[2], before_[3]);
  if (glfwGetWindowMonitor(window_)) {
    glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &width, &height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

std::vector<std::string> Window::dropped() { return std::exchange(dropped_, {}); }

void Window::set_cursor(int imgui_cursor) {
  if (imgui_cursor == cursor_) return;
  cursor_ = imgui_cursor;
  static const std::map<int, int> shapes = {{ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
                                            {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR},
                                            {ImGuiMouseCursor_ResizeNS, GLFW_VRESIZE_CURSOR},
                                            {ImGuiMouseCursor_ResizeEW, GLFW_HRESIZE_CURSOR}};
  // Made once each; GLFW frees them when it ends.
  static std::map<int, GLFWcursor*> made;
  const auto shape = shapes.find(imgui_cursor);
  GLFWcursor* cursor = nullptr;
  if (shape != shapes.end()) {
    GLFWcursor*& kept = made[shape->second];
    if (!kept) kept = glfwCreateStandardCursor(shape->second);
    cursor = kept;
  }
  glfwSetCursor(window_, cursor);
}

}  // namespace demo
