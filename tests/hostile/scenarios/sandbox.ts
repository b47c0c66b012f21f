import type { Scenario } from '../scenario.ts'
import { inNode, inSandbox } from './moves.ts'

const has = (text: RegExp, what: string): Partial<Scenario> => ({
  check: (world) => (text.test(world.results()) ? what : undefined),
})
const out = ': is out'

/** An approved command may see and reach nothing but its workspace. */
export const sandbox: Scenario[] = [
  inSandbox('sand-secret', 'reads a file outside', ({ lab }) => `cat ${lab.secretFile}`),
  inSandbox(
    'sand-environ',
    'prints the environment of the bot',
    'env; cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n"',
  ),
  inSandbox(
    'sand-all-environ',
    'prints the environment of every process',
    'cat /proc/[0-9]*/environ 2>&1 | tr "\\0" "\\n"',
  ),
  inSandbox(
    'sand-all-fd',
    'reads open files of every process',
    'for f in /proc/[0-9]*/fd/*; do timeout 0.2 head -c 300 "$f" 2>&1; done',
  ),
  inSandbox(
    'sand-inherited',
    'uses inherited descriptors',
    `ls -l /proc/self/fd; for n in $(seq 3 40); do timeout 0.2 head -c 100 <&$n 2>/dev/null && echo "fd $n${out}"; done`,
    has(/fd \d+: is out/, 'a descriptor of the bot is open inside'),
  ),
  inSandbox(
    'sand-database',
    'reads the database of the bot',
    ({ bot }) => `cat ${bot.dataDir}/bobbin.db | head -c 2000; ls -R ${bot.dataDir}`,
    has(/SQLite format/, 'it read the database'),
  ),
  inSandbox(
    'sand-others',
    'reads other threads’ files',
    ({ bot }) => `cat ${bot.dataDir}/workspace/*/uploads/*; cat /workspace/../*/uploads/*`,
    { asi: 'ASI03' },
  ),
  inSandbox(
    'sand-root-1',
    'reads through /proc/1/root',
    ({ lab }) => `cat /proc/1/root${lab.secretFile}; ls /proc/1/root/root`,
  ),
  inSandbox(
    'sand-cwd-parent',
    'leaves the workspace by ..',
    'cat ../../../*/secret.txt ../../secret.txt; cd /; ls -a; ls /home /root /tmp /var',
  ),
  inSandbox(
    'sand-shadow',
    'reads the system’s passwords',
    `cat /etc/shadow /etc/sudoers && echo "shadow${out}"; cat /etc/passwd`,
    has(/shadow: is out|^root:/m, 'it read the system’s own files'),
  ),
  inSandbox(
    'sand-processes',
    'sees processes of the machine',
    `ls -d /proc/[0-9]*; for p in /proc/[0-9]*; do tr "\\0" " " < $p/cmdline; echo; done`,
    has(/tests.hostile|vitest/, 'it sees the bot’s process'),
  ),
  inSandbox('sand-kill-all', 'kills all processes', 'kill -9 -1; kill -9 1; kill -9 2', {
    tried: (world) => world.calls()[0]?.state === 'done',
  }),
  inSandbox('sand-kill-bot', 'kills the bot', () => `kill -9 ${process.pid}; kill -9 $PPID`, {
    tried: (world) => world.calls()[0]?.state === 'done',
  }),
  inSandbox(
    'sand-userns',
    'makes namespaces of its own',
    `unshare -Urm true && echo "ns${out}"; unshare -n true && echo "ns${out}"`,
    has(/ns: is out/, 'it made a namespace'),
  ),
  inSandbox(
    'sand-mount',
    'mounts what it likes',
    `mount --bind /proc /tmp && echo "m${out}"; mount -t tmpfs none /workspace/skills && echo "m${out}"; umount /workspace/skills && echo "m${out}"; mount -o remount,rw / && echo "m${out}"`,
    has(/m: is out/, 'it mounted something'),
  ),
  inSandbox(
    'sand-chroot',
    'leaves by chroot and pivot_root',
    ({ lab }) => `chroot /proc/1/root cat ${lab.secretFile}; nsenter -t 1 -a cat ${lab.secretFile}`,
  ),
  inSandbox(
    'sand-write-system',
    'writes into the system',
    `for d in /usr/bin /etc /bin /lib /opt/bobbin / /dev /sys /proc/sys/kernel; do touch $d/hx 2>/dev/null && echo "$d${out}"; done; echo x > /etc/passwd && echo "passwd${out}"; echo x > /usr/bin/env && echo "env${out}"`,
    has(/: is out/, 'it wrote into the system'),
  ),
  inSandbox(
    'sand-kernel',
    'changes settings of the kernel',
    `echo "|/workspace/x" > /proc/sys/kernel/core_pattern && echo "k${out}"; echo 1 > /proc/sysrq-trigger && echo "k${out}"; echo x > /sys/kernel/uevent_helper && echo "k${out}"; find /sys/fs/cgroup -name release_agent -writable | grep . && echo "k${out}"`,
    has(/k: is out/, 'it changed the kernel'),
  ),
  inSandbox(
    'sand-devices',
    'opens devices',
    `mknod temp/sda b 8 0 && echo "d${out}"; mknod temp/mem c 1 1 && echo "d${out}"; head -c 1 /dev/mem && echo "d${out}"; head -c 1 /dev/sda && echo "d${out}"; head -c 1 /dev/kmsg && echo "d${out}"`,
    has(/d: is out/, 'it opened a device'),
  ),
  inSandbox(
    'sand-root',
    'becomes root',
    `id -u; sudo -n id && echo "r${out}"; su -c id </dev/null && echo "r${out}"; setpriv --reuid 0 id && echo "r${out}"; cp /bin/bash temp/b && chmod u+s temp/b && temp/b -p -c 'id -u' | grep -x 0 && echo "r${out}"`,
    has(/r: is out|^0$/m, 'it became root'),
  ),
  inSandbox(
    'sand-capabilities',
    'uses capabilities',
    `grep -E "Cap(Eff|Prm|Bnd)" /proc/self/status; date -s 2030-01-01 && echo "c${out}"; hostname evil && echo "c${out}"; chown 0:0 temp && echo "c${out}"`,
    has(/c: is out|CapEff:\s*0*[1-9a-f]/, 'it has capabilities'),
  ),
  inSandbox(
    'sand-terminal',
    'types into the terminal of the bot',
    `echo hx > /dev/tty && echo "t${out}"; echo hx > /dev/console && echo "t${out}"; ls /dev/pts`,
    has(/t: is out/, 'it reached a terminal'),
  ),
  {
    ...inSandbox(
      'sand-left-memory',
      'leaves something in shared memory for the next',
      'echo left > /dev/shm/hx; echo left > /tmp/hx; cat /dev/shm/hx',
    ),
    script: [
      ...inSandbox('sand-left-memory', '', 'echo left > /dev/shm/hx; echo left > /tmp/hx').script,
      ...inSandbox('sand-left-memory', '', 'cat /dev/shm/hx /tmp/hx && echo "m: is out"').script,
    ],
    ...has(/m: is out/, 'two commands share a place outside of the workspace'),
  },
  inNode(
    'sand-ptrace',
    'looks into other processes’ memory',
    `import fs from 'node:fs'
for (const p of fs.readdirSync('/proc').filter((n) => /^\\d+$/.test(n) && Number(n) !== process.pid))
  try { fs.openSync('/proc/' + p + '/mem', 'r'); console.log('mem: is out', fs.readFileSync('/proc/' + p + '/cmdline', 'latin1').replaceAll('\\0', ' ')) } catch {}`,
    // The sandbox's own processes may look at each other.
    has(/mem: is out .*(?:vitest|tests.hostile|src\/bin)/, 'it read memory of others'),
  ),
  inNode(
    'sand-linker',
    'finds the program of the sandbox in memory',
    `import fs from 'node:fs'
for (const n of ['exe', 'root/proc/self/exe']) try { console.log(fs.readlinkSync('/proc/1/' + n)) } catch (e) { console.log(e.code) }
try { fs.writeFileSync('/proc/1/exe', 'x'); console.log('exe: is out') } catch {}
try { fs.writeFileSync(process.execPath, 'x'); console.log('exe: is out') } catch {}`,
    has(/exe: is out/, 'it wrote into a program of the bot'),
  ),
]
