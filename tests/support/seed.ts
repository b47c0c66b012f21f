import fc from 'fast-check'

// Generated input is the same in every run unless somebody asks for another seed. Shrinking a large document may take
// hours, so it is off by default.
const { BOBBIN_SEED: seed = '1', BOBBIN_SHRINK: shrink } = process.env
fc.configureGlobal({ seed: Number(seed), endOnFailure: shrink === undefined })

// Whichever copy of undici comes first keeps the dispatcher for all of them. It is Node's own, as in the bot, where Discord
// is loaded before the web: otherwise files would not be sent in a worker that has read a page before.
new FormData()
