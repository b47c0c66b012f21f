import { type Scope, unclear } from './scope.ts'

const evaluates = /^(?:S?RANDOM|OPTIND|HISTCMD)$/

// Each of these names code, or a place where code is looked for.
const powers: [RegExp, string][] = [
  [/^(?:https?|ftp|all|no)_proxy$/i, 'sends what goes out through another machine'],
  [
    /^(?:SSL_CERT_.*|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NODE_TLS_.*)$/,
    'changes whom programs trust',
  ],
  [evaluates, 'evaluates what it is given'],
  [/^PATH$/, 'decides which programs the names mean'],
  [/^(?:LD|DYLD)_/, 'loads code into programs'],
  [/^(?:BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|BASH_FUNC_.*|BASH_LOADABLES_PATH|HISTFILE|EXECIGNORE)$/, 'is run by bash'],
  [
    /^(?:IFS|SHELLOPTS|BASHOPTS|BASH_COMPAT|POSIXLY_CORRECT|BASH_ALIASES|BASH_CMDS|CDPATH|GLOBIGNORE|BASH_ARGV0)$/,
    'changes how bash reads commands',
  ],
  [/^(?:HOME|XDG_CONFIG_HOME|XDG_CONFIG_DIRS|XDG_DATA_HOME|ZDOTDIR)$/, 'decides which settings programs read'],
  [
    /^(?:PERL5OPT|PERL5LIB|PERL5DB|PERLLIB|PYTHON.*|RUBYOPT|RUBYLIB|NODE_PATH|LUA_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|PHP_INI_SCAN_DIR|PHPRC|GEM_.*|BUNDLE_.*|R_PROFILE.*|AWKPATH|AWKLIBPATH|GCONV_PATH|OPENSSL_CONF|OPENSSL_ENGINES)$/,
    'makes an interpreter run or find other code',
  ],
  [
    /^(?:GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*|DIR|WORK_TREE)|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|CVS_RSH|SVN_SSH)$/,
    'makes git or another program run a program',
  ],
  [
    /^(?:EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|SHELL|LESSOPEN|LESSCLOSE|LESS|LESSKEY.*|VIMINIT|EXINIT|MANOPT|TERMINFO|TERMCAP|CC|CXX|RUSTC.*|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|TAR_OPTIONS|TAPE|ZIPOPT|UNZIP|UNZIPOPT|ZIPINFO|ZIPINFOOPT|GZIP|XZ_OPT|XZ_DEFAULTS|CARGO_.*|npm_config_.*|NPM_CONFIG_.*|(?:SYSTEM_)?WGETRC|CURL_HOME|GETCONF_DIR|GOFLAGS|DOCKER_.*|KUBECONFIG)$/,
    'names a program or options for one',
  ],
]

const harmless = new Map<string, RegExp>([
  ['PAGER', /^(?:cat|less|more|)$/],
  ['GIT_PAGER', /^(?:cat|less|)$/],
  ['MANPAGER', /^(?:cat|less|)$/],
  ['EDITOR', /^(?:true|:)$/],
  ['GIT_EDITOR', /^(?:true|:)$/],
  ['IFS', /^[\s,:;|]*$/],
  ['PYTHONUNBUFFERED', /^/],
  ['PYTHONDONTWRITEBYTECODE', /^/],
  ['PYTHONHASHSEED', /^/],
  ['PYTHONIOENCODING', /^/],
  ['CARGO_TERM_COLOR', /^/],
  ['LESS', /^-[A-Za-z]*$/],
])

const quietNodeOption =
  /^--(?:max-old-space-size=\d+|no-warnings|trace-[a-z-]+|enable-source-maps|stack-trace-limit=\d+)$/

/** Its value decides whether it is harmless, or it never is. */
export const isJudged = (name: string): boolean =>
  name === 'NODE_OPTIONS' || harmless.has(name) || powers.some(([names]) => names.test(name))

/**
 * A variable gets a value. `value` is `undefined` if it isn't known; `number` means that it can only be a number, which
 * is safe in arithmetic.
 */
export function assigned(scope: Scope, name: string, value: string | undefined, number: boolean) {
  if (!number) scope.findings.unsure.add(name)
  if (!number && (value === undefined || value.includes('['))) scope.findings.subscripted.add(name)
  if ((number || /^\d+$/.test(value ?? '')) && evaluates.test(name)) return
  if (value !== undefined && harmless.get(name)?.test(value)) return
  if (name === 'NODE_OPTIONS') {
    if (value?.split(' ').every((option) => option === '' || quietNodeOption.test(option))) return
    return unclear(scope, 'NODE_OPTIONS makes an interpreter run or find other code')
  }
  for (const [names, power] of powers) if (names.test(name)) unclear(scope, `${name} ${power}`)
}

// They are also usual as a shell's own variables.
const onlyExported = /^(?:ZIP|KRB5_.*|SASL_.*|LDAP.*)$/

/** A variable gets a value that programs get too. */
export function given(scope: Scope, name: string, value: string | undefined, number: boolean) {
  assigned(scope, name, value, number)
  if (onlyExported.test(name)) unclear(scope, `${name} names a program or options for one`)
}

/** A name given to `read`, `printf -v` and the like; anything that isn't a name would be evaluated. */
export function filled(scope: Scope, name: string | undefined, by: string) {
  if (name === undefined) unclear(scope, `the variable that ${by} fills is computed`)
  else if (!/^[A-Za-z_]\w*$/.test(name)) unclear(scope, `${by} would evaluate ${JSON.stringify(name)}`)
  else assigned(scope, name, undefined, false)
}
