/**
 * How long servers keep idle connections, ms. On a busy machine, Node's default of 5 s may end just as the next call begins,
 * and that call fails.
 */
export const keepAliveTimeout = 120_000
