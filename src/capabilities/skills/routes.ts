import { Failure } from '../../kit/failure.ts'
import { changeSkill, type SkillScope, skillHistory } from '../../store/skills.ts'
import { problem } from '../../turn/port/problem.ts'
import type { Services } from '../../turn/port/scope.ts'
import { matchesFor } from './match.ts'
import { type Change, nextStateNow } from './next-state.ts'
import { readPackage } from './read-package.ts'
import { registryFor, skillNamed } from './registry.ts'
import { messageIn, placeIn, scopeIn } from './route-place.ts'
import { type Skill, sourceWords } from './skill.ts'
import { skillsWords } from './words.ts'

type Bot = Pick<Services, 'config' | 'store'>

/** Whoever reaches these is the operator. */
const operator = { id: 'operator', name: 'the operator' }

const changes = { enable: 'on', disable: 'off', back: 'back' } as const

/** `/api/v1/skills`: what a channel has, installing, switching on and off, going back, and downloading. */
export async function answerRoute(request: Request, bot: Bot): Promise<Response> {
  const url = new URL(request.url)
  const [name, part] = url.pathname.split('/api/v1/skills')[1]?.split('/').filter(Boolean).map(decodeURIComponent) ?? []
  try {
    const place = placeIn(url.searchParams)
    return (
      (await answer(request, { url, name, part, place }, bot)) ?? problem(405, 'not_allowed', skillsWords.wrongMethod())
    )
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return problem(thrown.code === 'no_skill' ? 404 : 400, thrown.code, thrown.message, thrown.remedy)
  }
}

interface Asked {
  url: URL
  name: string | undefined
  part: string | undefined
  place: SkillScope
}

async function answer(request: Request, asked: Asked, bot: Bot): Promise<Response | undefined> {
  const { method } = request
  const { url, name, part, place } = asked
  const registry = registryFor(bot.config)
  const all = await registry.of(bot.store, place)
  const scope = scopeIn(url.searchParams, place)
  if (name === undefined) {
    if (method === 'POST') return upload(request, scope, bot)
    const { skills: fixed } = await registry.fixed()
    return method === 'GET' ? Response.json({ skills: all.map((skill) => summary(skill, fixed)) }) : undefined
  }
  if (method === 'POST' && name === 'match' && part === undefined)
    return Response.json({ matches: matchesFor(await messageIn(request), all) })
  if (method === 'DELETE' && part === undefined) return change('remove', name, scope, bot)
  if (method === 'POST' && part !== undefined && Object.hasOwn(changes, part))
    return change(changes[part as keyof typeof changes], name, scope, bot)
  if (method !== 'GET') return undefined
  if (part === 'versions') return versions(name, place, bot)
  return shown(skillNamed(name, all), part, url, (await registry.fixed()).skills)
}

function summary(skill: Skill, fixed: readonly Skill[]) {
  const { name, facts, source, isOn, unreadable, fileTypes, findings, installed } = skill
  return {
    name,
    description: facts.description,
    scope: source,
    from: sourceWords(skill),
    is_disabled: !isOn && unreadable === undefined,
    is_unreadable: unreadable !== undefined,
    is_overridden: fixed.some((one) => one.name === name && one.source !== source),
    file_types: fileTypes,
    rules_broken: findings.filter(({ level }) => level === 'error').length,
    ...(facts.license !== undefined && { license: facts.license }),
    ...(installed !== undefined && {
      version: installed.version,
      installed_by: installed.by.name,
      installed_at: new Date(installed.at).toISOString(),
    }),
  }
}

async function shown(skill: Skill, part: string | undefined, url: URL, fixed: readonly Skill[]): Promise<Response> {
  const files = await skill.files()
  if (part === undefined) {
    const list = [...files].map(([path, bytes]) => ({ path, bytes: bytes.length }))
    const { metadata, body } = skill.facts
    return Response.json({ ...summary(skill, fixed), metadata, body, files: list, findings: skill.findings })
  }
  const attachment = (name: string, type: string) => ({
    'content-type': type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
  })
  if (part === 'package') {
    const { default: JSZip } = await import('jszip')
    const zip = new JSZip()
    for (const [path, bytes] of files) zip.file(`${skill.name}/${path}`, bytes)
    const bytes = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
    return new Response(bytes, { headers: attachment(`${skill.name}.zip`, 'application/zip') })
  }
  const path = url.searchParams.get('path') ?? 'SKILL.md'
  const content = part === 'content' ? files.get(path) : undefined
  if (content === undefined)
    return problem(404, 'not_found', `${skill.name} has no ${part === 'content' ? path : part}.`)
  // Whoever wrote the skill must not get a page of ours.
  return new Response(new Uint8Array(content), { headers: attachment(path, 'text/plain; charset=utf-8') })
}

async function versions(name: string, place: SkillScope, { store }: Bot): Promise<Response> {
  const scopes = [{ ...place, project: '' }, ...(place.project === '' ? [] : [place])]
  const rows = (await Promise.all(scopes.map((scope) => skillHistory(store.db, scope, name)))).flat()
  const listed = rows.map(({ project, version, state, by, at }) => ({
    scope: project === '' ? 'team' : 'channel',
    version,
    state,
    by: by.name,
    at: new Date(at).toISOString(),
  }))
  return Response.json({ versions: listed })
}

/** The body is a zip archive or a SKILL.md. */
async function upload(request: Request, scope: SkillScope, { config, store }: Bot): Promise<Response> {
  const registry = registryFor(config)
  const { facts, findings, files } = await readPackage(new Uint8Array(await request.arrayBuffer()), registry.settings)
  const hash = await registry.shelf.put(files)
  const version = await store.transaction((tx) =>
    changeSkill(tx, scope, { name: facts.name, state: 'on', hash, by: operator }),
  )
  return Response.json({ name: facts.name, version, findings }, { status: 201 })
}

async function change(wanted: Change, name: string, scope: SkillScope, { config, store }: Bot): Promise<Response> {
  const there = await registryFor(config).of(store, scope)
  const isThere = there.some((skill) => skill.name === name)
  const seen = await skillHistory(store.db, scope, name)
  const made = await store.transaction(async (tx) => {
    const { next } = await nextStateNow(tx, scope, { change: wanted, name, seen, isThere })
    if (next === undefined) return undefined
    return { version: await changeSkill(tx, scope, { name, by: operator, ...next }), state: next.state }
  })
  if (made !== undefined) return Response.json({ name, ...made })
  skillNamed(name, there)
  const why = wanted === 'back' ? 'has no earlier version here.' : 'has nothing here that could be taken away.'
  return problem(409, 'nothing_to_do', `${name} ${why}`)
}
