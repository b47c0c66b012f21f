import type { Killing } from '../killer.ts'
import { type BotProcess, spawnBot } from '../process.ts'

/** The exit code of a process that was replaced. */
const exitOfReplaced = 1

export interface Node {
  name: string
  bot: BotProcess
}

/** The processes that share the work. One that ends by itself is started again, as a supervisor does. */
export class Nodes {
  readonly #killing: Killing
  readonly #nodes: Node[] = []
  readonly #complaints: string[]
  /** Processes whose end is part of the plan. */
  readonly #expected = new Set<BotProcess>()
  readonly #returning = new Set<Promise<unknown>>()
  #names = 0
  readonly #taken = new Set<string>()
  /** How often a process was replaced although nothing had happened to it, because the machine is busy. */
  replaced = 0

  constructor(killing: Killing, complaints: string[]) {
    this.#killing = killing
    this.#complaints = complaints
  }

  get all(): readonly Node[] {
    return this.#nodes
  }

  /** Those that never existed get the next name. */
  newName(): string {
    return `n${++this.#names}`
  }

  /** Does something to one of those to which nothing else happens just now. */
  async with(place: number, act: (node: Node) => Promise<void>): Promise<void> {
    const free = this.#nodes.filter(({ name }) => !this.#taken.has(name))
    const node = free[place % free.length]
    if (node === undefined) throw new Error('there are no nodes')
    this.#taken.add(node.name)
    await act(node).finally(() => this.#taken.delete(node.name))
  }

  spawn(name: string, numb = false): BotProcess {
    const { surroundings, numbConfigDir, lives, keeper } = this.#killing
    const environment = { ...surroundings.environment, BOBBIN_NODE: name }
    const bot = spawnBot({ ...surroundings, environment, ...(numb && { configDir: numbConfigDir }) })
    lives.push(bot)
    void bot.ended.then((how) => {
      keeper.lost(bot)
      this.#complaints.push(...bot.complaints)
      this.#ended(bot, how)
    })
    return bot
  }

  /** Resolves when it is ready; it takes its place among the others. */
  async start(name: string, numb = false): Promise<Node> {
    const bot = await this.#ready(name, numb)
    const node = { name, bot }
    const place = this.#nodes.findIndex((other) => other.name === name)
    if (place < 0) this.#nodes.push(node)
    else this.#nodes[place] = node
    return node
  }

  /** On a busy machine it may be replaced before it is ready, and is started again. */
  async #ready(name: string, numb: boolean): Promise<BotProcess> {
    for (;;) {
      const bot = this.spawn(name, numb)
      try {
        this.#killing.keeper.isReady(bot, await bot.ready)
        return bot
      } catch (thrown) {
        if (!bot.wasReplaced) throw thrown
        this.replaced++
      }
    }
  }

  /** It never comes back. */
  forget({ name }: Node): void {
    this.#nodes.splice(
      this.#nodes.findIndex((other) => other.name === name),
      1,
    )
  }

  async kill({ bot }: Node): Promise<void> {
    this.expect(bot)
    bot.signal('SIGKILL')
    await bot.ended
  }

  expect(bot: BotProcess): void {
    this.#expected.add(bot)
  }

  /** Resolves when everybody who ended by itself is back. */
  async back(): Promise<void> {
    while (this.#returning.size > 0) await Promise.all(this.#returning)
  }

  #ended(bot: BotProcess, how: number | string): void {
    const node = this.#nodes.find((one) => one.bot === bot)
    if (this.#expected.has(bot) || node === undefined) return
    if (how === exitOfReplaced && bot.wasReplaced) this.replaced++
    else this.#killing.ledger.fault('ended', `${node.name} (process ${bot.pid}) ended by itself: ${how}`)
    const returning = this.start(node.name)
      .catch((thrown) => this.#killing.ledger.fault('ended', `${node.name} did not come back: ${thrown}`))
      .finally(() => this.#returning.delete(returning))
    this.#returning.add(returning)
  }
}
