import { describe, expect, test } from 'vitest'
import { plainCommands } from '../../src/kit/shell/plain.ts'

const read = (line: string, directory = '') => plainCommands(line, directory)
const texts = (line: string) => read(line)?.map(({ text }) => text)
/** Recognised, and each program just reads and prints. */
const isPlain = (line: string, directory = '') =>
  read(line, directory)?.every(({ isPlainUse }) => isPlainUse) ?? 'not in the language'

describe('the small language', () => {
  test.each([
    ['ls', ['ls']],
    ['  ls\t-la  uploads ', ['ls -la uploads']],
    ['cat "a b.txt" \'it is $x `y` \\ ! "z"\'', ["cat 'a b.txt' 'it is $x `y` \\ ! \"z\"'"]],
    ['echo a"b c"d\'e\'', ["echo 'ab cde'"]],
    ['echo \'\' ""', ["echo '' ''"]],
    ['ls *.csv uploads/[a-c]?.txt', ['ls *.csv uploads/[a-c]?.txt']],
    ['cat a | sort -n|uniq -c && wc -l b; pwd;', ['cat a', 'sort -n', 'uniq -c', 'wc -l b', 'pwd']],
    [
      'wc -l < uploads/data.csv > outputs/n.txt 2>/dev/null',
      ['wc -l uploads/data.csv'.replace(' uploads/data.csv', '')],
    ],
    ['ls nope 2>&1 | cat', ['ls nope', 'cat']],
    ['echo a >&2', ['echo a']],
    ['grep größe Übersicht.csv', ["grep 'größe' 'Übersicht.csv'"]],
    ['ls\n', ['ls']],
    ['ls -la \t\n \n', ['ls -la']],
    ['cd outputs && ls 2>/dev/null', ['cd outputs', 'ls']],
    ['cut -d, -f1,3 --output-delimiter=: x', ['cut -d, -f1,3 --output-delimiter=: x']],
  ])('%j', (line, expected) => {
    expect(texts(line)).toEqual(expected)
  })

  test.each([
    // The four ways by which hidden commands ran.
    'echo "${x-$\'}$(rm -rf uploads; id)\'}"',
    "cat <<EOF\n${x:-'`rm -rf uploads`'}\nEOF",
    'echo "$\\\n$(rm -rf uploads)"',
    'cat <(echo)# ; rm -rf uploads',
    // Expansions.
    'echo $x',
    'echo "$x"',
    'echo "`id`"',
    'echo `id`',
    'echo $(id)',
    "echo $'a'",
    'echo $"a"',
    'echo ${x}',
    'echo $((1))',
    'echo {a,b}',
    'echo a{1..3}',
    'cat ~/x',
    'cat ~',
    'cat a~',
    'echo "a!b"',
    'echo !!',
    'cat <(ls)',
    // Quoting.
    'echo \\a',
    'echo "a\\"b"',
    "echo 'a",
    'echo "a',
    "echo 'a'\\''b'",
    // Structure.
    'ls || pwd',
    'ls &',
    'ls & pwd',
    'ls |& cat',
    '! ls',
    '(ls)',
    '{ ls; }',
    'if ls; then pwd; fi',
    'time ls',
    'coproc ls',
    '[[ a ]]',
    '[ a ]',
    'f() { ls; }',
    'ls;; pwd',
    'ls ; ; pwd',
    '; ls',
    '| cat',
    'ls |',
    'ls &&',
    'ls && && pwd',
    '',
    '   ',
    // Comments, lines, odd characters.
    'ls # x',
    'ls #',
    'echo a#b',
    'ls\npwd',
    '\n',
    '\nls',
    'ls\r\n',
    'ls \\\n',
    'ls\u00a0\n',
    'ls |\n',
    'ls &&\n',
    "echo 'a\nb'",
    'ls\rpwd',
    'ls\u0000',
    'ls\u000bpwd',
    'ls\u00a0pwd',
    'ls\u2003pwd',
    "echo '\u0001'",
    "echo '\u007f'",
    "echo '\u200b'",
    "echo '\u2028'",
    'echo \ud800',
    // What is set, and what is called.
    'A=b ls',
    'A=b',
    'a[0]=1 ls',
    'A+=b',
    '"ls"',
    'l"s"',
    '*',
    '-x',
    '%1',
    // Redirections.
    'ls > a',
    'ls > uploads/a',
    'ls > /tmp/a',
    'ls > outputs',
    'ls > outputs/../uploads/a',
    'ls > outputs/*',
    'ls > /workspace/uploads/a',
    'ls > /etc/x',
    'ls > /dev/tcp/a/1',
    'ls > ""',
    'ls >',
    'ls > > outputs/a',
    'ls >| outputs/a',
    'ls <> outputs/a',
    'ls &> outputs/a',
    'ls >& outputs/a',
    'ls 3> outputs/a',
    'ls 12> outputs/a',
    'ls {v}> outputs/a',
    'ls 2>&3',
    'ls >&-',
    'ls <&0',
    'ls>outputs/a',
    'ls a>outputs/a',
    'ls > outputs/a>outputs/b',
    '> outputs/a ls',
    '> outputs/a',
    'cat < /etc/passwd',
    'cat < ../x',
    'cat < /dev/tcp/a/1',
    'cat < uploads/*',
    'cat << E',
    'cat <<< a',
    'cd uploads && echo a > outputs/a',
    'cd temp && echo a > b',
    'cd uploads && cat < a',
  ])('%j is not in it', (line) => {
    expect(read(line)).toBeUndefined()
  })

  test('output goes where the folder of the call leads', () => {
    expect(read('ls > a', 'outputs')?.[0]?.redirections).toEqual([{ operator: '>', target: 'a' }])
    expect(read('ls >> ./b/c', '/workspace/temp/')).toBeDefined()
    expect(read('ls > /workspace/outputs/a', 'uploads')).toBeDefined()
    for (const directory of ['uploads', 'outputs/..', '../outputs', '/outputs', 'outputs/../uploads'])
      expect(read('ls > a', directory), directory).toBeUndefined()
    expect(read('ls > outputs/a', 'uploads')).toBeUndefined()
  })

  test('a glob tells what it may become', () => {
    const expands = (word: string) => read(`ls ${word}`)?.[0]?.words[0]?.expands
    expect(['a*', "'*'", "'-'*", '*', "''?", '-[a]', "'a'[b]"].map(expands)).toEqual([
      'behind its beginning',
      'no',
      'to anything',
      'to anything',
      'to anything',
      'to anything',
      'behind its beginning',
    ])
  })

  test('a line of very many commands is not in it', () => {
    expect(read(`ls${'|cat'.repeat(99)}`)).toHaveLength(100)
    expect(read(`ls${'|cat'.repeat(100)}`)).toBeUndefined()
  })

  test('a long line is read once', () => {
    expect(read(`ls ${'a '.repeat(9_000)}`)?.[0]?.words).toHaveLength(9_000)
    expect(read(`ls ${'a '.repeat(20_000)}`)).toBeUndefined()
  })
})

describe('plain use', () => {
  test.each([
    'ls -la *',
    'head -n 5 *.csv',
    'tail -n +2 uploads/a',
    'wc *',
    "grep -rn 'a|b' . --include=*.md",
    'cut -f2 a',
    'sort',
    'sort -rn -k2,2nr -t, a b',
    'sort -t ; pwd',
    'sort -k 2 -u uploads/*',
    'sort --reverse --key=2,3 a',
    'uniq -c',
    'uniq -cd a',
    'uniq -f 2 a',
    'uniq -f2 -w10',
    'nl -ba a',
    'stat -c %s *',
    'file -b uploads/*',
    'file --mime-type a b',
    'du -sh *',
    'df -h',
    'df -h --output=size -- uploads/*',
    'basename a/b .c',
    'dirname a/b',
    "tr -d 'a-z'",
    'date',
    "date -u '+%F %T'",
    "date -d '2024-01-01 +1 day' +%s",
    'date -Iseconds -r a',
    'date --date=tomorrow',
    'test -f a -a 3 -lt 4',
    'whoami',
    'cd outputs',
    'cd ./a/b',
    'cd /workspace',
    'cd /workspace/temp',
    'find',
    "find . -name '*.csv' -type f -not -path './temp/*'",
    "find uploads/* -maxdepth 2 '(' -iname 'a?' -o -size +5k ')' -mtime -7 -print0",
    'find -L . -newer a -printf "%p %s"',
    'diff a b',
    'diff -ru uploads outputs',
    'diff -U 5 -bw a b',
    'diff --unified=0 --color=never a -',
    'cmp -l a b',
    'comm -12 a b',
    'paste -sd, a',
    'od -An -tx1 -N 16 *',
    'sha256sum -c sums',
    'realpath -m a',
    'readlink -f *',
  ])('%s', (line) => {
    expect(isPlain(line)).toBe(true)
  })

  test.each([
    'sort -o a b',
    'sort -oa b',
    'sort -ro a',
    'sort b -o a',
    'sort b --output=a',
    'sort b --outp a',
    'sort --o=a',
    "sort '-o' a",
    'sort -""o a',
    'sort --compress-program=./x a',
    'sort --compress-prog ./x',
    'sort -T uploads a',
    'sort --temporary-directory=x',
    'sort --files0-from=a',
    'sort -t -o x',
    'sort *',
    'sort -*',
    'sort -- -o',
    'uniq a b',
    'uniq - b',
    'uniq -c a b',
    'uniq -f 1 a b',
    'uniq -f -f 5 b',
    'uniq a 5',
    'uniq a*',
    'uniq -- a b',
    'uniq +1 a',
    'date -s 2020-01-01',
    'date --set=x',
    'date --se x',
    'date -us x',
    'date -d -d -s x',
    'date 01010101',
    'date -f a',
    'date *',
    'df --sync',
    'df -h --sy',
    "df '--s'",
    'df *',
    'df --s*',
    'file -C',
    'file -m a b',
    'file -bm a b',
    'file -z a',
    'file -f a',
    'file --compile',
    'file --comp',
    'file *',
    "test -v 'a[$(id)]'",
    "test 1 -eq 1 -a -v 'a[$(id)]'",
    "test '-v' x",
    'test -R x',
    'test *',
    'test a*',
    'cd',
    'cd -',
    'cd ..',
    'cd a/../..',
    'cd /etc',
    'cd /workspace/..',
    'cd /workspaces',
    'cd -P a',
    'cd -- a',
    'cd a b',
    'cd a*',
    'cd ""',
    'find . -delete',
    "find . -exec rm x ';'",
    "find . -execdir rm x ';'",
    "find . -ok rm x ';'",
    "find . -okdir rm x ';'",
    'find . -fprint a',
    'find . -fprint0 a',
    'find . -fprintf a b',
    'find . -fls a',
    'find . -name -delete',
    "find . '-delete'",
    'find . -""delete',
    'find -files0-from a',
    'find -D exec .',
    'find -- -delete',
    'find *',
    'find . -name *.csv',
    'diff -l a b',
    'diff -rl a b',
    'diff -U -l a b',
    'diff --paginate a b',
    'diff --pag a b',
    'diff -- -l b',
    'diff *',
  ])('%s is more', (line) => {
    expect(isPlain(line)).toBe(false)
  })

  test('of a program that is not known, a glob may make an option', () => {
    expect(isPlain('git add src/*')).toBe(true)
    expect(isPlain('git add *')).toBe(false)
  })
})
