import type { Home } from './home.ts'

/**
 * A command: the lines of `help` about it, and its code, loaded when needed, because most need only a fraction of the
 * bot.
 */
export interface CommandEntry {
  help: string
  /** False if it never looks into the data directory. */
  needsData?: false
  /** Whether it may create something in the data directory. */
  fillsData?: true
  load(): Promise<(args: string[], home: Home) => Promise<number>>
}

/** In the order of `help`. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  start: {
    help: `  start            runs the bot and its web console`,
    fillsData: true,
    load: async () => (await import('./start.ts')).startCommand,
  },
  doctor: {
    help: `  doctor           says what works and what doesn’t, and how to fix it; with
                   --probe <channel id>, it also posts a message there and deletes it`,
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  migrate: {
    help: `  migrate          updates the database to this version’s schema before the bots start`,
    fillsData: true,
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  config: {
    help: `  config check     says what is wrong with the configuration, and where
  config schemas   writes the JSON schemas that editors use for config/`,
    needsData: false,
    load: async () => (await import('./config.ts')).configCommand,
  },
  nodes: {
    help: `  nodes            lists the bots that use the database, and what each of them is running
  nodes drain <name> [--wait]
                   tells a bot to take on nothing new and hand its work to the others;
                   restart it to undo this. --wait returns when nothing is left`,
    load: async () => (await import('./nodes.ts')).nodesCommand,
  },
  sessions: {
    help: `  sessions         lists the latest 20 sessions, or as many as --limit <number> says;
                   --person <name> lists those that one person began (their id does, too)
  sessions show <id>
                   shows one in more detail, with its latest messages`,
    load: async () => (await import('./sessions.ts')).sessionsCommand,
  },
  export: {
    help: `  export <id>      prints a thread as Markdown, or with --format json or zip; the zip includes its
                   files. --out <file> writes it to a file. \`sessions\` lists the ids`,
    load: async () => (await import('./export.ts')).exportCommand,
  },
  token: {
    help: `  token new [<name>]
                   creates a token for signing in to a console that other machines can reach,
                   and prints it once; token list lists them, token revoke <id> revokes one`,
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  logs: {
    help: `  logs <id>        prints what happened in a thread, one event per line. --follow keeps printing,
                   --json prints whole events. \`sessions\` lists the ids`,
    load: async () => (await import('./logs.ts')).logsCommand,
  },
  chat: {
    help: `  chat [thread]    chats in the terminal with the Bobbin running here, or with the one at
                   BOBBIN_URL (with BOBBIN_TOKEN); "last" continues the latest thread,
                   --list lists them, and --project <channel> starts a new one in that
                   channel of the console`,
    needsData: false,
    load: async () => (await import('./chat/command.ts')).chatCommand,
  },
  why: {
    help: `  why [message]    says why a message (its id or link) was not answered; without one, says
                   it of the latest messages that were not answered`,
    load: async () => (await import('./why.ts')).whyCommand,
  },
  feedback: {
    help: `  feedback         lists the latest 20 pieces of feedback on answers, with reasons; --bad lists only
                   bad ones, --limit <number> sets how many`,
    load: async () => (await import('./feedback.ts')).feedbackCommand,
  },
  policy: {
    help: `  policy explain '<tool>' '<arguments as JSON>'
                   says which rule applies to a call, who would be asked, and what Bobbin
                   can tell about it; --untrusted assumes untrusted content in the thread
  policy explain --stdin
                   the same for programs: reads {"tool": …, "input": …}, one per line, and
                   answers each line, even a bad or empty one, with one line of JSON:
                   {"kind": "allow" | "ask" | "deny", "rule", "reason", "risk", …} or
                   {"kind": "error", "message", "remedy"}`,
    load: async () => (await import('./policy.ts')).policyCommand,
  },
  grants: {
    help: `  grants           lists what is always allowed; with --all, also what no longer is
  grants revoke <id>
                   revokes one`,
    load: async () => (await import('./grants.ts')).grantsCommand,
  },
  compositions: {
    help: `  compositions     lists the chains of tools in config/compositions.yaml, and how they did
  compositions improve <name> [--yes | --undo]
                   shows the order of tools and fall-backs that works better so far; --yes
                   uses it, --undo goes back to the file’s`,
    load: async () => (await import('./of-capability.ts')).commandOf('compositions'),
  },
  agents: {
    help: `  agents           lists the agents in config/agents.yaml, and what they did in the last 30
                   days: runs, success, time, cost; with --tenant <id>, as they were changed
                   for that Slack workspace or Discord server`,
    load: async () => (await import('./of-capability.ts')).commandOf('agents'),
  },
  mcp: {
    help: `  mcp list         lists the MCP servers in config/mcp_servers.yaml
  mcp test <server>
                   starts one, connects and stops it; mcp tools <server> also lists its
                   tools and the names that models use for them
  mcp login <server>
                   logs in to one that requires it, in a browser; mcp logout <server>
                   deletes the login`,
    fillsData: true,
    load: async () => (await import('./of-capability.ts')).commandOf('mcp'),
  },
  audit: {
    help: `  audit verify     checks that the audit log is intact; with --head <number>:<hash>,
                   also that it still contains the entry you noted
  audit export     prints the audit log; with --format jsonl or csv, --after <number>,
                   --kind <kind>`,
    load: async () => (await import('./audit.ts')).auditCommand,
  },
  move: {
    help: `  move --to <database>
                   moves a stopped bot to a PostgreSQL database (postgres://…), or back to
                   SQLite in the data directory (sqlite); move --undo lets the old one start
                   again, as it was before the move`,
    fillsData: true,
    load: async () => (await import('./move.ts')).moveCommand,
  },
  backup: {
    help: `  backup <file.tar.gz>
                   saves the database, the files of all threads and the configuration in
                   one archive; the bot may keep running`,
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    help: `  restore <file.tar.gz>
                   restores such an archive into an empty BOBBIN_DATA_DIR`,
    fillsData: true,
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  prune: {
    help: `  prune            deletes everything older than "keep" in config/bobbin.yaml allows; a running
                   bot does this gradually. --dry-run only says what would be deleted, and
                   how many bytes`,
    load: async () => (await import('./prune.ts')).pruneCommand,
  },
  skills: {
    help: `  skills list      lists the skills on this machine: those that come with Bobbin, and yours
  skills validate <dir> [--json]
                   says where a skill violates the agentskills.io specification
  skills install <zip or dir>
                   adds a skill to your config directory; skills remove <name> removes it`,
    load: async () => (await import('./of-capability.ts')).commandOf('skills'),
  },
}
