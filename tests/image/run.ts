import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { argumentsOf, command, instructions, top } from './dockerfile.ts'

// Builds the image and runs it, with whichever of docker, podman and buildah is here and has the image that ours begins with:
// that one isn't downloaded. It takes some minutes, and gets packages from npm and Debian.

const name = 'bobbin-image-test'
const run = promisify(execFile)

/** What it says; throws if it fails. */
const must = async (program: string, ...args: string[]): Promise<string> =>
  (await run(program, args, { cwd: top, maxBuffer: 64 * 1024 ** 2 })).stdout

const works = (program: string, ...args: string[]): Promise<boolean> =>
  must(program, ...args).then(
    () => true,
    () => false,
  )

/** Runs a shell script in a container, as the image's own user. */
type Run = (script: string) => Promise<string>

interface Builder {
  program: string
  has(base: string): Promise<boolean>
  build(): Promise<Run>
  remove(): Promise<void>
}

const likeDocker = (program: string): Builder => ({
  program,
  has: (base) => works(program, 'image', 'inspect', base),
  build: async () => {
    await must(program, 'build', '--tag', name, '.')
    return (script) => must(program, 'run', '--rm', '--init', '--entrypoint', 'sh', name, '-c', script)
  },
  remove: async () => void (await works(program, 'rmi', name)),
})

/** It needs no daemon, and with this isolation no namespaces. */
function buildah(): Builder {
  const isolation = ['--isolation', 'chroot']
  let container = ''
  return {
    program: 'buildah',
    has: (base) => works('buildah', 'inspect', '--type', 'image', base),
    build: async () => {
      await must('buildah', 'bud', ...isolation, '--pull-never', '--format', 'docker', '--tag', name, '.')
      container = (await must('buildah', 'from', '--pull-never', name)).trim()
      return (script) => must('buildah', 'run', ...isolation, container, '--', 'sh', '-c', script)
    },
    remove: async () => {
      if (container !== '') await works('buildah', 'rm', container)
      await works('buildah', 'rmi', name)
    },
  }
}

/** Fails where the health check does, and says what the doctor says while the bot runs. */
const life = `cd /bobbin
export BOBBIN_PORT=4821
echo "user $(id -un)"
echo "version $(node src/bin.js --version)"
echo "left out: $(ls -A .git .env data tests docs 2>&1 >/dev/null | wc -l)"
node src/bin.js start >/tmp/said 2>&1 & bot=$!
until node -e '${command('HEALTHCHECK').at(-1)}'; do kill -0 $bot || { cat /tmp/said; exit 1; }; sleep 1; done
echo healthy
echo BOBBIN_PROT=4821 >/data/.env
node src/bin.js doctor
kill -TERM $bot
wait $bot
echo "ended with $?"
echo "compiled: $(ls /home/node/.cache/bobbin)"`

/** What has to be among the lines. The sandbox either works, or says in plain words why it doesn't. */
const wanted: [string, RegExp][] = [
  ['the bot is not root', /^user node$/m],
  [
    'the version is that of package.json',
    new RegExp(`^version Bobbin ${manifest.version.replaceAll('.', '\\.')},`, 'm'),
  ],
  ['nothing is copied that isn’t needed', /^left out: 5$/m],
  ['the health check passes', /^healthy$/m],
  ['the doctor knows the bot that runs', /✓ Bobbin listens on 0\.0\.0\.0:4821 now\./],
  ['the doctor reads .env, and knows what can be set there', /Did you mean BOBBIN_PORT\?/],
  ['the packages are whole', /✓ Packages are as they should be/],
  [
    'the sandbox works or says why not',
    /(✓ .*\b(sandbox|bubblewrap)\b|[✗!] .*\b(sandbox|bubblewrap|namespace)\b.*\n\s+\S.*)/i,
  ],
  ['it ends when it is told to', /^ended with 0$/m],
  ['compiled code is kept for the next start', /^compiled: v/m],
]

async function builderHere(base: string): Promise<Builder | undefined> {
  for (const one of [likeDocker('docker'), likeDocker('podman'), buildah()]) if (await one.has(base)) return one
  return undefined
}

async function main(): Promise<number> {
  const [base = ''] = argumentsOf('FROM', instructions).map((rest) => rest.split(' ')[0] ?? '')
  const builder = await builderHere(base)
  if (builder === undefined) {
    process.stdout.write(`Nothing was built: neither docker, podman nor buildah has ${base} here.\n`)
    return 0
  }
  try {
    process.stdout.write(`Building with ${builder.program} …\n`)
    const said = await (await builder.build())(life)
    const missing = wanted.filter(([, pattern]) => !pattern.test(said))
    for (const [what, pattern] of wanted) process.stdout.write(`${pattern.test(said) ? '✓' : '✗'} ${what}\n`)
    if (missing.length > 0) process.stdout.write(`\n${said}`)
    return missing.length === 0 ? 0 : 1
  } finally {
    await builder.remove()
  }
}

process.exitCode = await main()
