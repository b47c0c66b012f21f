import { protectionsMore } from './protections-more.ts'
import { one, type Protection } from './switch-off.ts'

const sandbox = 'kit/sandbox/options.ts'
const policy = 'trust/policy.ts'
const layers = 'trust/layers.ts'
const verdict = 'trust/verdict.ts'

/**
 * Switching these off never exposes the machine: the system stays read-only, other processes stay out of reach, and
 * connections stay on this machine.
 */
export const protections: Protection[] = [
  one(
    'network namespace',
    sandbox,
    "'--unshare-all', '--unshare-user'",
    "'--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-user'",
    'sand-loopback',
    'sand-curl',
    'sand-abstract',
    'sand-own-api',
  ),
  one(
    'process namespace',
    sandbox,
    "'--unshare-all', '--unshare-user'",
    "'--unshare-ipc', '--unshare-net', '--unshare-uts', '--unshare-user'",
    'sand-processes',
  ),
  one(
    'own /tmp',
    sandbox,
    "...['--perms', '1777', '--size', String(temporaryBytes), '--tmpfs', '/tmp'],",
    "...['--ro-bind', '/tmp', '/tmp'],",
    'sand-secret',
    'sand-others',
    'sand-database',
  ),
  one(
    'size of /tmp',
    sandbox,
    "String(temporaryBytes), '--tmpfs', '/tmp'",
    "'60000000', '--tmpfs', '/tmp'",
    'memory-tmp',
  ),
  one(
    'read-only root',
    sandbox,
    "...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],",
    '',
    'sand-write-system',
  ),
  one(
    'no namespaces inside',
    sandbox,
    "...(system.canDisableNamespaces ? ['--disable-userns'] : [])",
    '',
    'sand-userns',
  ),
  one(
    'folders that can be written',
    'programs/run.ts',
    'writable: granted.closed ? writable.closed : writable.open,',
    '',
    'sand-skills',
    'wide-root',
  ),
  one(
    'the closed sandbox',
    'programs/run.ts',
    'granted.closed ? writable.closed : writable.open',
    'writable.open',
    'wide-removes',
    'wide-python',
  ),
  one(
    'what a grant of it leaves to rules',
    policy,
    "action === 'allow' || rule.layer === 'effect' ||",
    'true ||',
    'wide-rule',
  ),
  one('what it lacks is asked', policy, 'if (needs.length === 0) return undefined', 'return undefined', 'wide-needs'),
  one('Python apart from its folder', sandbox, "PYTHONSAFEPATH: '1',", '', 'plant-python'),
  one('git without programs of a repository', sandbox, "'core.fsmonitor': 'false',", '', 'plant-git'),
  {
    name: 'empty environment',
    changes: [
      { file: 'src/kit/sandbox/options.ts', find: "'--clearenv', ", replace: '' },
      { file: 'src/kit/sandbox/bubblewrap.ts', find: 'env: {},', replace: 'env: process.env,' },
    ],
    only: ['sand-environ'],
  },
  {
    name: 'number of processes',
    changes: [
      {
        file: 'src/kit/sandbox/watch.ts',
        find: "> limits.processes) return 'processes'",
        replace: '> 100_000) return undefined',
      },
      { file: 'src/kit/sandbox/bubblewrap.ts', find: 'String(processes * 2 + 16)', replace: "'2000'" },
    ],
    only: ['forks'],
  },
  one(
    'memory',
    'kit/sandbox/watch.ts',
    "return sum(least) > most ? 'memory' : undefined",
    'return undefined',
    'memory-spread',
    ' memory',
  ),
  one(
    'amount of output',
    'kit/sandbox/output.ts',
    'const fitting = cut(decoded, leftBytes)',
    'const fitting = decoded',
    'output-line',
  ),
  one(
    'room of a workspace',
    'programs/quota.ts',
    '(await counted({ most })).more',
    '(await counted({ most })).bytes < 0',
    'disk-count',
    'disk-burst',
  ),
  one('no writing in a full workspace', 'programs/run.ts', '{ ...most, fileBytes: 0 }', 'most', 'disk-burst'),
  one('size of a file', 'kit/sandbox/bubblewrap.ts', 'Math.ceil(fileBytes / 1024)', '1_000_000', 'disk-file'),
  one(
    'space beyond a file’s size',
    'kit/sandbox/system-calls.ts',
    'failing(errors.EOPNOTSUPP))),\n    ...without',
    'allowed)),\n    ...without',
    'disk-reserve',
  ),
  one('time', 'kit/sandbox/bubblewrap.ts', "() => stop('timeout')", '() => {}', 'tool-timeout'),
  one('pinned content', 'programs/run.ts', 'pinned: granted.pinned', 'pinned: []', 'bind-running'),
  one(
    'binding to the hash',
    'turn/settle/permit.ts',
    "request.hash !== hash && answer?.decision !== 'deny'",
    'false',
    'bind-edit',
    'bind-directory',
  ),
  one(
    'content in the hash',
    'trust/bind.ts',
    'bound.parts.push(path, bytes)',
    'bound.parts.push(path)',
    'bind-edit',
    'bind-directory',
  ),
  one(
    'every command of a line',
    'capabilities/commands/run/inspect.ts',
    'const commands = plan.invocations.map(({ text }) => text)',
    'const commands = plan.invocations.slice(0, 1).map(({ text }) => text)',
    'shell-semicolon',
    'shell-newline',
    'shell-substitution',
    'shell-alias',
    'shell-trap',
  ),
  one('what is unclear', 'capabilities/commands/run/inspect.ts', '...plan.unclear,', '', 'shell-'),
  one('patterns everywhere', layers, '[own, everywhere(rules, subject)]', '[own]', 'out-key', 'out-password', 'risky-'),
  one(
    'denied by a rule',
    layers,
    "if (first?.action !== 'deny' && second?.action === 'deny') return second",
    '',
    'tool-denied',
  ),
  one(
    'what a rule denies is denied',
    policy,
    "if (ruling.action === 'deny') return { kind: 'deny', ...pick(ruling) }",
    '',
    'tool-denied',
    'net-localhost',
  ),
  one(
    'uploads',
    verdict,
    'uploaded: await touchesUpload(tool.paths?.(input) ?? [], pathsWritten(whole), deps)',
    'uploaded: (await touchesUpload([], [], deps)) && pathsWritten(whole).length > 0',
    'write-upload',
    'echo-upload',
  ),
  ...protectionsMore,
]
