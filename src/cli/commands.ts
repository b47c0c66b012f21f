import type { Home } from './home.ts'

/** A command: the lines of `help` about it, and its code, loaded when needed, because most need only a fraction of the bot. */
export interface CommandEntry {
  help: string
  /** False if it never looks into the data directory. */
  needsData?: false
  load(): Promise<(args: string[], home: Home) => Promise<number>>
}

/** In the order of `help`. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  start: {
    help: `  start            runs the bot and its web console`,
    load: async () => (await import('./start.ts')).startCommand,
  },
  doctor: {
    help: `  doctor           says what works and what does not, and how to mend it;
                   with --probe <channel id> it posts a message there and deletes it`,
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  migrate: {
    help: `  migrate          brings the database to this version's schema, before the bots start`,
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  config: {
    help: `  config check     says what is wrong with the configuration, and where
  config schemas   writes the JSON schemas that editors use for config/`,
    needsData: false,
    load: async () => (await import('./config.ts')).configCommand,
  },
  nodes: {
    help: `  nodes            lists the bots that run on the database, and what each of them runs
  nodes drain <name> [--wait]
                   tells one to take nothing new and to leave its work to the others; it
                   works again once it is started again`,
    load: async () => (await import('./nodes.ts')).nodesCommand,
  },
  sessions: {
    help: `  sessions         lists the latest 20 sessions; with --limit <number>, as many
  sessions show <id>
                   says more about one, with its latest messages`,
    load: async () => (await import('./sessions.ts')).sessionsCommand,
  },
  export: {
    help: `  export <id>      prints a thread as Markdown; with --format json or zip, --out <file>; the zip
                   also has its files. sessions lists the ids`,
    load: async () => (await import('./export.ts')).exportCommand,
  },
  token: {
    help: `  token new [<name>]
                   makes a token for the console, where it listens beyond this machine, and
                   prints it once; token list lists them, token revoke <id> ends one`,
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  logs: {
    help: `  logs <id>        prints what happened in a thread, an event a line; with --follow, also what
                   comes, and with --json whole events. sessions lists the ids`,
    load: async () => (await import('./logs.ts')).logsCommand,
  },
  chat: {
    help: `  chat [thread]    a conversation in the terminal with the Bobbin that runs, or with the one at
                   BOBBIN_URL (and BOBBIN_TOKEN); "last" goes on with the last thread, and
                   --list lists them`,
    needsData: false,
    load: async () => (await import('./chat/command.ts')).chatCommand,
  },
  why: {
    help: `  why [message]    says why a message was not answered, by its id or link; or why the
                   latest ones were not`,
    load: async () => (await import('./why.ts')).whyCommand,
  },
  feedback: {
    help: `  feedback         lists the latest 20 times that people called an answer good or bad, and why;
                   with --bad, --limit <number>`,
    load: async () => (await import('./feedback.ts')).feedbackCommand,
  },
  policy: {
    help: `  policy explain '<tool>' '<arguments as JSON>'
                   says which rule decides about a call, who would be asked, and what was
                   seen of it; with --untrusted: after untrusted content came in
  policy explain --stdin
                   the same for programs: reads {"tool": …, "input": …}, one a line, and
                   answers each line, also a bad or empty one, with one line of JSON:
                   {"kind": "allow" | "ask" | "deny", "rule", "reason", "risk", …} or
                   {"kind": "error", "message", "remedy"}`,
    load: async () => (await import('./policy.ts')).policyCommand,
  },
  grants: {
    help: `  grants           lists what was always allowed; with --all also what has ended
  grants revoke <id>
                   ends one`,
    load: async () => (await import('./grants.ts')).grantsCommand,
  },
  compositions: {
    help: `  compositions     lists the chains of tools in config/compositions.yaml, and how they went`,
    load: async () => (await import('./of-capability.ts')).commandOf('compositions'),
  },
  agents: {
    help: `  agents           lists the agents of config/agents.yaml and what they did in the last 30
                   days: runs, success, time, cost`,
    load: async () => (await import('./of-capability.ts')).commandOf('agents'),
  },
  mcp: {
    help: `  mcp list         lists the MCP servers of config/mcp_servers.yaml
  mcp test <server>
                   starts one, says hello and stops it; mcp tools <server> also lists its
                   tools and what models call them
  mcp login <server>
                   logs in to one that wants it, with a browser; mcp logout <server>
                   deletes the login`,
    load: async () => (await import('./of-capability.ts')).commandOf('mcp'),
  },
  audit: {
    help: `  audit verify     says whether the audit log is whole; with --head <number>:<hash>,
                   also whether it still has the end that was noted
  audit export     prints the audit log; with --format jsonl or csv, --after <number>,
                   --kind <kind>`,
    load: async () => (await import('./audit.ts')).auditCommand,
  },
  move: {
    help: `  move --to <database>
                   takes a stopped bot along to a PostgreSQL database (postgres://…), or
                   back to SQLite in the data directory (sqlite); move --undo lets the one
                   that was moved start again, as it was then`,
    load: async () => (await import('./move.ts')).moveCommand,
  },
  backup: {
    help: `  backup <file.tar.gz>
                   puts the database, the files of all threads and the configuration into
                   one archive, while the bot runs`,
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    help: `  restore <file.tar.gz>
                   puts such an archive into an empty BOBBIN_DATA_DIR`,
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  prune: {
    help: `  prune            deletes at once what is older than config/bobbin.yaml keeps it (keep), which
                   the bot otherwise does little by little; with --dry-run it says what
                   that would be, and how many bytes`,
    load: async () => (await import('./prune.ts')).pruneCommand,
  },
  skills: {
    help: `  skills list      lists the skills on this machine: those that come with Bobbin, and yours
  skills validate <dir> [--json]
                   says what of a skill breaks the specification of agentskills.io
  skills install <zip or dir>
                   puts a skill among yours, in the config directory; skills remove <name>
                   takes it away`,
    load: async () => (await import('./of-capability.ts')).commandOf('skills'),
  },
}
