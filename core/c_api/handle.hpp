#pragma once

// The way from handles to what they stand for, and back.

#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "c_api/boundary.hpp"
#include "c_api/registry.hpp"
#include "proxel/device.hpp"

namespace proxel::c_api {

/// What a handle stands for: the type of the object, and its kind. The types of the handles themselves are
/// nowhere defined.
template <typename Handle>
struct ObjectOf;

template <typename Object, HandleKind of>
struct ObjectOfKind {
  using Type = Object;
  static constexpr HandleKind kind = of;
};

/// A new handle of an object that is made of those arguments.
/// @param devices  that it is made from
template <typename Handle, typename... Arguments>
Handle* make_handle(std::span<Device* const> devices, Arguments&&... arguments) {
  using Object = typename ObjectOf<Handle>::Type;
  // Members may be given in order, as those of an aggregate.
  std::shared_ptr<Object> object(new Object{std::forward<Arguments>(arguments)...});
  return static_cast<Handle*>(add_handle(ObjectOf<Handle>::kind, std::move(object), devices));
}
template <typename Handle, typename... Arguments>
Handle* make_handle(const std::shared_ptr<Device>& device, Arguments&&... arguments) {
  Device* const one = device.get();
  return make_handle<Handle>(std::span<Device* const>(&one, 1), std::forward<Arguments>(arguments)...);
}

/// The same of an object that needs no device.
template <typename Handle, typename... Arguments>
Handle* make_lone_handle(Arguments&&... arguments) {
  return make_handle<Handle>(std::span<Device* const>(), std::forward<Arguments>(arguments)...);
}

/// What a handle that must be given stands for. Throws Error(invalid_argument) as resolve() does.
template <typename Handle>
auto& handled(Handle* handle, const char* argument, Use use = Use::alone) {
  require_given(handle, argument);
  using Of = ObjectOf<std::remove_const_t<Handle>>;
  using Object = std::conditional_t<std::is_const_v<Handle>, const typename Of::Type, typename Of::Type>;
  return *static_cast<Object*>(resolve(handle, Of::kind, use, argument));
}

/// A number that a handle has, for functions without a status: nothing for null, and for what is no handle.
template <typename Handle, typename Read>
auto read_handle(Handle* handle, const char* argument, const Read& read) noexcept {
  decltype(read(handled(handle, argument))) value{};
  if (handle) guarded([&] { value = read(handled(handle, argument, Use::reading)); });
  return value;
}

template <typename Handle>
void destroy(Handle* handle) noexcept {
  destroy_handle(handle, ObjectOf<Handle>::kind);
}

}  // namespace proxel::c_api
