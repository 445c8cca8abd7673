// For bundles (Workers): what stands here elsewhere (`#late/…`) is given as an option from a sub-path.
export {};
