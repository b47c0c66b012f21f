// The values that a message names, read from its text, so that a missing or misspelt one doesn't compile.

/** Takes in `{name}`, `{name, plural, …}` and `{name, select, …}`, also one inside the other. */
type Named<
  Text extends string,
  Open extends ('text' | 'options')[] = [],
  Found = never,
> = Text extends `${infer To}}${infer After}`
  ? To extends `${string}{${string}`
    ? Opened<Text, Open, Found>
    : Named<After, Open extends [unknown, ...infer Rest extends ('text' | 'options')[]] ? Rest : [], Found>
  : Found

type Opened<Text extends string, Open extends ('text' | 'options')[], Found> = Text extends `${string}{${infer Inside}`
  ? Open extends ['options', ...unknown[]]
    ? Named<Inside, ['text', ...Open], Found>
    : Inside extends `${infer Head}}${infer After}`
      ? Head extends `${infer Name}, ${infer Kind}, ${string}`
        ? Inside extends `${Name}, ${Kind}, ${infer Options}`
          ? Named<Options, ['options', ...Open], Found | [Name, Kind]>
          : never
        : Head extends `${infer Name}, ${infer Kind}`
          ? Named<After, Open, Found | [Name, Kind]>
          : Named<After, Open, Found | [Head, 'text']>
      : never
  : Found

interface Kinds {
  text: string | number
  select: string
  plural: number
  selectordinal: number
  number: number
}

type Name<Found> = Found extends [infer One extends string, unknown] ? One : never
/** A name that is used in several ways has to fit all of them. */
type Value<Found, One> = (
  Found extends [One, infer Kind extends keyof Kinds]
    ? (fits: Kinds[Kind]) => void
    : never
) extends (fits: infer Both) => void
  ? Both
  : never

/** What a message with this text is called with: nothing, or its values. */
export type ValuesOf<Text extends string> = [Named<Text>] extends [never]
  ? []
  : [values: { [One in Name<Named<Text>>]: Value<Named<Text>, One> }]
