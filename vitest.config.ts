import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { databaseVariable, postgresPrograms } from './tests/support/postgres.ts'
import { scratchDisk } from './tests/support/scratch-disk.ts'
import { patienceMs } from './tests/support/until.ts'

/** The longest first. */
const campaigns = ['campaign-nodes', 'campaign-slack', 'campaign-discord', 'campaign-console', 'crash']

/**
 * What takes minutes comes early, so that nothing waits for it alone at the end: campaigns first, and hostile tests long after.
 * A worker ends when the next file is another project's, and a new one loads everything again: so projects come one after the other.
 */
class LongOnesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { onServer = [], rest = [] } = Object.groupBy(sorted, ({ project }) =>
      project.name === 'postgres' ? 'onServer' : 'rest',
    )
    const named = (name: string) => rest.filter(({ moduleId }) => moduleId.endsWith(name))
    const crash = campaigns.flatMap((name) => named(`/crash/${name}.test.ts`))
    const hostile = named('hostile.test.ts')
    const others = rest.filter((file) => !crash.includes(file) && !hostile.includes(file))
    return [...onServer, ...crash, ...others.slice(0, 40), ...hostile, ...others.slice(40)]
  }
}

/** These stand on SQLite, and once more on PostgreSQL. */
const onBoth = [
  'tests/store/*.test.ts',
  'tests/agent/aside.test.ts',
  'tests/scenarios/{alarm-told-once,durable,given-addresses,grants,refused,deciders}.test.ts',
  'tests/scenarios/{cost,budgets,agents,retention,clock,scans,long-paths}.test.ts',
  'tests/context/{conversation,deleted,summarize}.test.ts',
  'tests/contract/*.test.ts',
  'tests/delegation/{working,given-addresses}.test.ts',
  'tests/plans/running.test.ts',
  'tests/chat/go-back.test.ts',
  'tests/outbound/deliver.test.ts',
]
const onlyPostgres = ['tests/store/postgres/*.test.ts', 'tests/nodes/*.test.ts', 'tests/move/*.test.ts']

/** What whoever runs the tests has set for their own bot, database or proxy must not reach those of the tests. */
const others =
  /^(PG[A-Z]+|DATABASE_URL|NODE_USE_ENV_PROXY|(SLACK|DISCORD|MODEL|WEB_SEARCH|OTEL)_.*|BOBBIN_(?!VERIFY|SEED|SHRINK|SHOW|PICTURES|TOUR|SHELL_RUNS|TEST_).*)$/
for (const name of Object.keys(process.env)) if (others.test(name)) delete process.env[name]

/** Some tests are about files that another user may read. */
process.umask(0o022)

/** Vitest's workers, and the programs that they start, keep their compiled code where the bot keeps its own. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/bobbin')

/** Vitest asks Node for libraries' builds for their developers, which check themselves and take longer. */
const asInTheBot = {
  name: 'as-in-the-bot',
  configResolved({ ssr }: { ssr: { resolve?: { conditions?: string[] } } }) {
    if (ssr.resolve) ssr.resolve.conditions = ssr.resolve.conditions?.filter((one) => !one.startsWith('development'))
  },
}

export default defineConfig({
  plugins: [asInTheBot],
  test: {
    reporters: ['default', './tests/support/red-at-once.ts'],
    setupFiles: ['tests/support/seed.ts', 'tests/support/needs-sandbox.ts'],
    globalSetup: ['tests/support/left-out.ts', 'tests/support/postgres-server.ts', 'tests/support/compiled-readers.ts'],
    sequence: { sequencer: LongOnesEarly },
    // They bound no work: a busy machine takes as long as it takes, and what hangs is still told.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: patienceMs } },
    env: { TMPDIR: scratchDisk(), TZ: 'UTC' },
    pool: 'forks',
    // Node loads the modules, as in the bot: nothing is transformed first, nothing is mocked, and libraries are the builds that the bot uses.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Most tests wait for processes, sockets and pauses: more at once than there are cores.
    maxWorkers: 8,
    // A file begins with whatever modules its worker has loaded: nothing here keeps state outside of a test.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'shared', include: ['tests/**/*.test.ts'], exclude: onlyPostgres } },
      ...(postgresPrograms === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: [...onBoth, ...onlyPostgres],
                env: { [databaseVariable]: 'postgres' },
              },
            },
          ]),
    ],
  },
})
