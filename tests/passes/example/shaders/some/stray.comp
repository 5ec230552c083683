// An example for passes.forgotten_kernels.
