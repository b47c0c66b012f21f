import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

export const top = resolve(import.meta.dirname, '../..')

/** A line of a Dockerfile, such as `COPY src src`, with whatever lines continue it. */
export interface Instruction {
  name: string
  rest: string
}

export const instructionsIn = (text: string): Instruction[] =>
  text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = line, rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
      return { name, rest }
    })

/** The instructions of the image itself, without the stages that only make something for it. */
export const lastStage = (all: readonly Instruction[]): Instruction[] =>
  all.slice(all.findLastIndex(({ name }) => name === 'FROM'))

export const argumentsOf = (name: string, stage: readonly Instruction[]): string[] =>
  stage.filter((one) => one.name === name).map(({ rest }) => rest)

/** Of ENTRYPOINT, CMD and HEALTHCHECK in their exec form, which no shell interprets; undefined in any other. */
export function commandIn(rest: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(rest.replace(/^(?:--\S+ )*CMD /, ''))
    return Array.isArray(parsed) && parsed.every((one) => typeof one === 'string') ? parsed : undefined
  } catch {
    return undefined
  }
}

const read = (name: string) => readFileSync(join(top, name), 'utf8')

export const files = { dockerfile: read('Dockerfile'), ignored: read('.dockerignore') }
export const instructions: Instruction[] = instructionsIn(files.dockerfile)
export const image: Instruction[] = lastStage(instructions)
export const command = (name: string): string[] => commandIn(argumentsOf(name, image)[0] ?? '') ?? []

/** ADD isn't among them: it fetches from addresses and unpacks archives. */
const known = 'FROM RUN COPY WORKDIR ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD ARG LABEL'.split(' ')

/** What must never get into an image, nor be sent to whoever builds it. */
const kept = ['.git', '.env', 'data', 'node_modules']

/** What a bot of the package reads while it runs. */
const needed = ['src', ...manifest.files.filter((name) => !/\/|^dist$|^systemd$/.test(name))]

/** Whatever is wrong with a Dockerfile and its .dockerignore. */
export function faultsIn({ dockerfile, ignored }: typeof files): string[] {
  const all = instructionsIn(dockerfile)
  const stage = lastStage(all)
  const without = ignored.split('\n').map((line) => line.replace(/\/$/, ''))
  const copied = argumentsOf('COPY', stage).flatMap((rest) => rest.split(/\s+/).slice(0, -1))
  return [
    ...all.flatMap(({ name }) => (known.includes(name) ? [] : [`${name} is not to be used`])),
    ...argumentsOf('FROM', all).flatMap((rest) => (isPinned(rest) ? [] : [`${rest} may be another image tomorrow`])),
    ...all.flatMap((one, place) => (one.name === 'COPY' ? copyFaults(one.rest, all.slice(0, place), without) : [])),
    ...argumentsOf('RUN', all).flatMap(aptFaults),
    ...argumentsOf('ENV', all).flatMap((rest) => (/TOKEN|KEY|SECRET|PASSWORD/.test(rest) ? ['a secret in ENV'] : [])),
    ...userFaults(stage),
    ...stage.flatMap(({ name, rest }) =>
      /^(ENTRYPOINT|CMD|HEALTHCHECK)$/.test(name) && commandIn(rest) === undefined ? [`${name} needs a shell`] : [],
    ),
    ...kept.flatMap((name) => (without.includes(name) ? [] : [`${name} would be sent to the builder`])),
    ...needed.flatMap((name) => (copied.includes(name) ? [] : [`${name} is not copied`])),
  ]
}

/** Of the Node that Bobbin brings, and of one Debian. */
const isPinned = (rest: string): boolean => {
  const major = /\d+/.exec(manifest.dependencies.node)?.[0]
  return new RegExp(`^node:${major}[.\\d]*-[a-z]+-slim( AS \\w+)?$`).test(rest)
}

function copyFaults(rest: string, before: readonly Instruction[], without: readonly string[]): string[] {
  const [, stage] = /^--from=(\S+)/.exec(rest) ?? []
  if (stage !== undefined) {
    const isThere = argumentsOf('FROM', before).some((from) => from.endsWith(` AS ${stage}`))
    return isThere ? [] : [`there is no stage ${stage}`]
  }
  const sources = rest.split(/\s+/).slice(0, -1)
  return sources.flatMap((path) => {
    const isSent = !without.includes(path.split('/')[0] ?? '') && !path.startsWith('..')
    return isSent && existsSync(join(top, path)) ? [] : [`there is no ${path} to copy`]
  })
}

/** A layer keeps whatever its own command leaves behind, and a list of packages that another layer got may be old. */
function aptFaults(rest: string): string[] {
  if (!rest.includes('apt-get install')) return []
  const wanted = ['apt-get update', ' -y ', '--no-install-recommends', 'rm -rf /var/lib/apt/lists/*']
  return wanted.flatMap((part) => (rest.includes(part) ? [] : [`apt-get install without ${part.trim()}`]))
}

function userFaults(stage: readonly Instruction[]): string[] {
  const user = argumentsOf('USER', stage).at(-1)
  const [volume = ''] = argumentsOf('VOLUME', stage)
  const made = argumentsOf('RUN', stage).some(
    (rest) => rest.includes(`-o ${user}`) && `${rest} `.includes(` ${volume} `),
  )
  return [
    ...(user === undefined || /^(root|0)\b/.test(user) ? ['it runs as root'] : []),
    ...(made ? [] : [`${volume} does not belong to ${user}`]),
  ]
}
