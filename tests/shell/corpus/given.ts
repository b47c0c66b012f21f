import { clear, vague } from '../case.ts'

/** Programs, and options that name programs, which come by standard input, a bundle of letters or an abbreviation. */
export const given = [
  vague('cat p | awk -f - a', 'piped into awk', 'cat awk'),
  vague('cat p | awk -f- a', 'piped into awk', 'cat awk'),
  vague('cat p | gawk --file=- a', 'piped into gawk', 'cat gawk'),
  vague('cat p | gawk -E - a', 'piped into gawk', 'cat gawk'),
  vague('cat p | { mawk -f -; }', 'piped into mawk', 'cat mawk'),
  vague('cat p | env awk -f -', 'piped into awk', 'cat awk'),
  vague('cat p | xargs -a names awk -f -', 'piped into awk', 'cat awk'),
  vague('cat p | xargs --arg-file=names -I{} bash', 'piped into bash', 'cat bash'),
  vague('awk -f - a', 'awk reads from its input', 'awk'),
  vague('awk -f - a <<< \'{ print | "sh" }\'', 'text of awk', 'awk'),
  vague('awk -f - a <<< "$X"', 'text that awk reads is computed', 'awk'),
  clear("awk -f - a <<< '{ print $1 }'", 'awk', { languages: ['awk'], runs: [] }),
  clear('awk -f - a < p', 'awk', { runs: ['p'] }),
  clear('awk -f ./- a', 'awk', { runs: ['./-'] }),
  vague('cat p | sed -f - a', 'piped into sed', 'cat sed'),
  vague('cat p | sed -nf- a', 'piped into sed', 'cat sed'),
  vague("sed -f - a <<< '1e rm x'", 'text of sed', 'sed'),
  vague("sed -f - a <<'E'\ns/a/b/\ns/a/b/w out\nE", 'text of sed', 'sed'),
  clear("sed -f - a <<'E'\ns/a/b/\n/x/d\nE", 'sed', { runs: [] }),
  clear('cat p | sed --sandbox -f - a', 'cat sed', { runs: [] }),
  vague('cat p | psql -f -', 'psql reads from its input', 'cat psql'),
  vague('cat p | go run -', 'go reads from its input', 'cat go'),
  vague("mysql -e 'select 1; source temp/x'", 'text of mysql', 'mysql'),
  vague("dc -e '!rm x'", 'what dc runs', 'dc'),
]
