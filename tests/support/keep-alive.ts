/**
 * How long servers keep connections that nobody uses, ms. Node's own 5 s are over on a busy machine in the very moment in which
 * the next call begins, and that call fails.
 */
export const keepAliveTimeout = 120_000
