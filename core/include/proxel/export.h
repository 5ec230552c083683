/* What a shared proxel exports: it is compiled with everything else hidden, so that no name of its
   inside meets one of a program's. Public headers stand between PROXEL_PUBLIC_BEGIN and _END: what
   they declare, and the types that they define, are one and the same on both sides of the boundary
   (an Error is caught where it is thrown from inside). */
#ifndef PROXEL_EXPORT_H
#define PROXEL_EXPORT_H

#if defined(__GNUC__)
#define PROXEL_API __attribute__((visibility("default")))
/* Not an attribute of the namespace: to clang that says nothing about functions defined elsewhere. */
#define PROXEL_PUBLIC_BEGIN _Pragma("GCC visibility push(default)")
#define PROXEL_PUBLIC_END _Pragma("GCC visibility pop")
/* A type that a public class declares and does not define, for itself. */
#define PROXEL_HIDDEN __attribute__((visibility("hidden")))
#else
#define PROXEL_API
#define PROXEL_PUBLIC_BEGIN
#define PROXEL_PUBLIC_END
#define PROXEL_HIDDEN
#endif

#endif
