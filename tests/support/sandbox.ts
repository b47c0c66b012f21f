/** In the environment of test processes: set where the machine has no sandbox. */
export const noSandboxVariable = 'BOBBIN_TEST_NO_SANDBOX'

/** Where there is no sandbox, its tests are skipped, with a note at the end; `npm run verify` requires one. */
export const withoutSandbox = process.env[noSandboxVariable] !== undefined
