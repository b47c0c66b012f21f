import { type Scope, unclear } from './scope.ts'
import type { ShellWord } from './shell-word.ts'

// Options with which an otherwise harmless program runs another one. Long ones may be abbreviated as long as they are
// unique.
const options = new Map<string, RegExp>([
  ['sort', /^--co/],
  ['split', /^--f/],
  ['rsync', /^(?:-[A-Za-z0-9]*e.*|--rsh.*|--rsync-path.*|--files-from=.*:.*)$/s],
  ['scp', /^-[A-Za-z0-9]*[SDoF]/],
  ['sftp', /^-[A-Za-z0-9]*[SDobF]/],
  ['ssh', /^-[A-Za-z0-9]*[oFIS]|proxycommand|localcommand/i],
  ['zip', /^(?:-[A-Za-z0-9]*T.*|--unz.*)$/s],
  ['man', /^(?:-[A-Za-z0-9]*[PH]|--pager|--html|--preprocessor)/],
  ['wget', /^--(?:use|conf|ex)|^-[A-Za-z0-9]*e/],
  ['curl', /^(?:-[A-Za-z0-9#:]*K|--conf|--lib|--en)|pkcs11:/i],
  ['nc', /^(?:-[A-Za-z0-9]*[ec]|--exec|--sh-exec|--lua-exec)/],
  ['ncat', /^(?:-[A-Za-z0-9]*[ec]|--exec|--sh-exec|--lua-exec)/],
  ['netcat', /^(?:-[A-Za-z0-9]*[ec]|--exec|--sh-exec)/],
  ['nmap', /^--(?:script|interactive|datadir)/],
  ['perl', /^(?=-[A-Za-z0-9]*[Mm])-.*[^\w:=,.-]|^-[A-Za-z0-9]*(?:d:|S)/s],
  ['gcc', /^(?:-wrapper|-fplugin|-specs|-B|@)/],
  ['g++', /^(?:-wrapper|-fplugin|-specs|-B|@)/],
  ['clang', /^(?:-fplugin|-B|@)/],
  ['less', /^(?:\+|-[A-Za-z0-9]*[kp])/],
  ['more', /^\+/],
  ['rg', /^--(?:pre|hostname-bin)(?:=|$)/],
  ['fd', /^(?:-[A-Za-z0-9]*[xX]|--exec)/],
  ['fzf', /^--(?:bind|preview|execute)/],
  ['tcpdump', /^-[A-Za-z0-9]*z/],
  ['openssl', /^-(?:engine|provider)/],
  ['java', /^(?:-javaagent|-agent|-XX:OnError|-XX:OnOutOfMemoryError|@)/],
  ['docker', /^(?:--config|-H|--host)/],
  ['pip', /^(?:--python)/],
  ['node', /^--(?:require|import|loader|experimental-loader|openssl-config|icu-data-dir|inspect)=?.*(?:data:|https?:)/],
  ['install', /^--strip-program/],
  ['ip', /^-(?:batch|force)/],
  ['ctags', /^--(?:options|.*-ctags)/],
])

export function riskyOptions(program: string, args: ShellWord[], scope: Scope) {
  const risky = options.get(program)
  const option = risky && args.find(({ value }) => value !== undefined && risky.test(value))
  if (option) unclear(scope, `${option.source.split('=')[0]?.slice(0, 40)} may make ${program} run another program`)
}
