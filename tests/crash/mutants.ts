import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const mutants = [
  ...([
    'lease',
    'started',
    'unique',
    'acknowledged',
    'find',
    'caught-up',
    'kept',
    'orphans',
    'after',
    'chain',
  ] as const),
  // Of several processes.
  ...(['replaced', 'holder', 'hold', 'commit', 'released', 'attempt'] as const),
] as const
export type Mutant = (typeof mutants)[number]

interface Change {
  file: string
  from: string
  to: string
}

/** Copies of the bot without one of its safeguards. */
const changes: Record<Mutant, Change[]> = {
  lease: [
    {
      file: 'src/store/store.ts',
      from: ".where('epoch', '=', values.epoch)",
      to: '',
    },
  ],
  started: [
    {
      file: 'src/turn/settle/call-journal.ts',
      from: `if (state === 'started' && (!options.repeatable || attempt >= mostAttempts)) return { do: 'unknown' }`,
      to: 'void state, attempt, mostAttempts',
    },
  ],
  unique: [
    {
      file: 'src/inbound/receive.ts',
      from: `return known && { kind: 'duplicate', session: known.session, eventId: known.eventId }`,
      to: 'return known && undefined',
    },
    {
      file: 'src/store/migrations/001-sessions.ts',
      from: 'not null unique,\n    kind',
      to: 'not null,\n    kind',
    },
    {
      file: 'src/store/migrations/002-platforms.ts',
      from: 'not null unique,\n    kind',
      to: 'not null,\n    kind',
    },
  ],
  // Slack: an event, or a click, is acknowledged first and stored afterwards. Discord: a click.
  acknowledged: [
    {
      file: 'src/platforms/slack/receive/acknowledge.ts',
      from: 'const answers: unknown[] = []',
      to: 'const answers: unknown[] = []\n    await event.ack()',
    },
    {
      file: 'src/platforms/slack/receive/acknowledge.ts',
      from: '    await event.ack(answers[0])',
      to: '',
    },
  ],
  // A message that may have been posted already is posted again.
  find: [
    {
      file: 'src/outbound/poster.ts',
      from: 'const id = await platform.find(session.thread, this.#posting(key, known))',
      to: 'const id = (platform.find, session.thread, undefined) as string | undefined',
    },
  ],
  // An upload is dropped before its row says that it is in the workspace.
  kept: [
    {
      file: 'src/turn/read/uploads.ts',
      from: 'const seen = await lookAt(workspace, file.path, file.name)',
      to: 'await deps.drop(remote)\n    const seen = await lookAt(workspace, file.path, file.name)',
    },
  ],
  // What ends a call doesn't end the subagent that works for it.
  orphans: [
    { file: 'src/turn/state/close-open.ts', from: 'await endChild(tx, call.id, why, person)', to: 'void endChild' },
  ],
  // A step of a plan doesn't wait for the steps that it depends on.
  after: [
    {
      file: 'src/capabilities/plans/advance.ts',
      from: "return earlier.every(isThere) ? 'ready' : 'later'",
      to: "return earlier.length < 0 ? 'later' : 'ready'",
    },
  ],
  // An agent of a chain doesn't wait for the one before it.
  chain: [
    {
      file: 'src/capabilities/agents/routed.ts',
      from: "if (how !== 'chain') return []",
      to: "if (how === 'chain') return [...agents.keys()].filter(isOpen)",
    },
  ],
  // A process that was replaced goes on.
  replaced: [
    {
      file: 'src/store/lock.ts',
      from: 'or not (exists (select 1 from locks)',
      to: 'or 1 = 1 or not (exists (select 1 from locks)',
    },
  ],
  // Every process posts what another one is posting.
  holder: [
    {
      file: 'src/store/outbox.ts',
      from: '(outbox.holder is null or outbox.holder =',
      to: '(1 = 1 or outbox.holder =',
    },
  ],
  // Two answers at the same moment don't wait for each other.
  hold: [{ file: 'src/trust/answer.ts', from: 'await tx.hold(seen.session)', to: 'void seen' }],
  // A commit whose answer was lost counts as undone.
  commit: [
    {
      file: 'src/store/postgres/driver.ts',
      from: 'isCut(fault) && (await wasCommitted(this.#transaction, this.#server))',
      to: 'isCut(fault) && wasCommitted === undefined',
    },
  ],
  // Claims of processes that are gone aren't ended.
  released: [
    {
      file: 'src/engine/boss.ts',
      from: 'if (lost.length > 0) await',
      to: 'if (lost.length < 0) await',
    },
  ],
  // A run ends its successor's claim.
  attempt: [
    {
      file: 'src/engine/boss.ts',
      from: 'await this.#boss.deleteJob(queue, wake)',
      to: 'await this.#boss.deleteJob(queue, wake.id)',
    },
  ],
  // Messages missed during a gap are not read afterwards.
  'caught-up': [
    {
      file: 'src/platforms/slack/gaps/read-back.ts',
      from: 'return Math.max(((await cursor.read()) ?? now) - overlap, now - most, await cursor.beginning())',
      to: 'return now',
    },
    {
      file: 'src/platforms/discord/gaps/read-back.ts',
      from: 'const after = firstIdAt(timeOf(since) - overlapMs)',
      to: 'const after = firstIdAt(timeOf(since) + 10 * overlapMs)',
    },
  ],
}

/** Copies the bot as it is now, because people keep working in the checkout while a campaign runs. */
export async function copyBot(checkout: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true })
  for (const name of ['src', 'config', 'package.json']) {
    await cp(join(checkout, name), join(into, name), { recursive: true })
  }
  await symlink(join(checkout, 'node_modules'), join(into, 'node_modules'))
  return into
}

/** Takes a safeguard out of a copy. Throws if the code to take out is gone. */
export async function mutate(copy: string, mutant: Mutant): Promise<void> {
  for (const { path, text } of await mutated(copy, mutant)) await writeFile(path, text)
}

/** The files as they would be without a safeguard. Throws if the code to take out is gone. */
export async function mutated(root: string, mutant: Mutant): Promise<{ path: string; text: string }[]> {
  const texts = new Map<string, string>()
  for (const { file, from, to } of changes[mutant]) {
    const path = join(root, file)
    const text = texts.get(path) ?? (await readFile(path, 'utf8'))
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold once what ${mutant} takes out: ${from}`)
    texts.set(
      path,
      text.replace(from, () => to),
    )
  }
  return [...texts].map(([path, text]) => ({ path, text }))
}
