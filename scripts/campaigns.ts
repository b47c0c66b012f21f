import { spawnSync } from 'node:child_process'

/** The long ones, each at its usual size. `npm run verify` has a short form of each, and only reads the Dockerfile. */
const campaigns = [
  'tests/crash/campaign.ts --kills 200',
  'tests/hostile/run.ts',
  'tests/shell/fuzz/run.ts --seconds 600',
  'tests/documents/damage/campaign.ts',
  'tests/image/run.ts',
]

/** Runs them one at a time, because each measures time and fills the machine. Says at the end which of them failed. */
function runAll(): number {
  const failed = campaigns.filter((campaign) => {
    process.stdout.write(`\n> ${campaign}\n`)
    return spawnSync(process.execPath, campaign.split(' '), { stdio: 'inherit' }).status !== 0
  })
  for (const campaign of failed) process.stdout.write(`Found something: node ${campaign}\n`)
  if (failed.length === 0) process.stdout.write('\nEvery campaign holds.\n')
  return failed.length === 0 ? 0 : 1
}

process.exitCode = runAll()
