/* The program's own volk, with all its global symbols. */
#include <volk.c>
