import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../src/cli/commands.ts'
import { argumentsOf, faultsIn, files, image, top } from './dockerfile.ts'

describe('the Dockerfile', () => {
  test('is without fault', () => {
    expect(faultsIn(files)).toEqual([])
  })

  test.each([
    ['USER node', '', /runs as root/],
    ['USER node', 'USER 0', /runs as root/],
    [/node:24-bookworm-slim/g, 'node', /another image tomorrow/],
    [/node:24/g, 'node:22', /another image tomorrow/],
    ['COPY src src', 'COPY source src', /no source to copy/],
    ['COPY src src', 'COPY data src', /no data to copy/],
    ['COPY skills skills', '', /skills is not copied/],
    ['package-lock.json .env.example ./', 'package-lock.json ./', /\.env\.example is not copied/],
    ['--from=packages', '--from=modules', /no stage modules/],
    ['COPY src src', 'ADD https://example.com/src.tar.gz src', /ADD is not to be used/],
    ['CMD ["start"]', 'CMD start', /CMD needs a shell/],
    ['ENTRYPOINT ["node", "src/bin.js"]', 'ENTRYPOINT node src/bin.js', /ENTRYPOINT needs a shell/],
    ['--no-install-recommends ', '', /without --no-install-recommends/],
    ['apt-get update \\\n  && ', '', /without apt-get update/],
    ['  && install -d -o node -g node -m 700 /data /data/config', '  && true', /\/data does not belong to node/],
    ['ENV ', 'ENV MODEL_BASE_API_KEY=sk-1 ', /a secret in ENV/],
  ])('%s must not become %s', (was, now, fault) => {
    const dockerfile = files.dockerfile.replace(was, now)
    expect(dockerfile).not.toBe(files.dockerfile)
    expect(faultsIn({ ...files, dockerfile })).toContainEqual(expect.stringMatching(fault))
  })

  test.each(['.git', '.env', 'data', 'node_modules'])('%s never reaches whoever builds it', (name) => {
    const ignored = files.ignored.replace(`${name}\n`, '')
    expect(faultsIn({ ...files, ignored })).toEqual([`${name} would be sent to the builder`])
  })
})

interface Service {
  command?: string
  image?: string
  build?: string
  pull_policy?: string
  ports?: string[]
  volumes?: string[]
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
}

test('the compose file fits the image, opens nothing to the network, and holds no secret', () => {
  const text = readFileSync(join(top, 'compose.yaml'), 'utf8')
  const composed = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object }
  const services = Object.entries(composed.services)
  const [volume, port] = [argumentsOf('VOLUME', image)[0], argumentsOf('EXPOSE', image)[0]]
  const example = readFileSync(join(top, '.env.example'), 'utf8')
  const bots = services.filter(([, { image }]) => image === 'bobbin')
  expect(bots.map(([name]) => name)).toEqual(['migrate', 'bot-1', 'bot-2'])
  // Docker builds all at once, and refuses a second image of the same name.
  expect(services.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['bot-1'])
  expect(bots.filter(([, one]) => one.pull_policy !== 'never').map(([name]) => name)).toEqual(['bot-1'])
  for (const [, { command = '', environment = {}, volumes = [] }] of bots) {
    expect(Object.keys(commands)).toContain(command)
    expect(volumes.map((one) => one.split(':')[1])).toEqual([volume])
    expect([environment.BOBBIN_DATA_DIR, environment.BOBBIN_PORT]).toEqual([volume, port])
    expect(Object.keys(environment).filter((name) => !example.includes(`${name}=`))).toEqual([])
  }
  expect(new Set(bots.map(([, { environment }]) => environment?.BOBBIN_NODE)).size).toBe(3)
  for (const [, { ports = [], volumes = [], depends_on = {}, environment = {} }] of services) {
    for (const one of ports) expect(one).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+:${port}$`))
    for (const one of volumes) expect(Object.keys(composed.volumes)).toContain(one.split(':')[0])
    for (const name of Object.keys(depends_on)) expect(Object.keys(composed.services)).toContain(name)
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD/.test(name + value)) expect(value).toMatch(/\$\{POSTGRES_PASSWORD:\?[^}]+\}/)
  }
})
