import fc from 'fast-check'

// What holds here holds everywhere: generated input is the same in each run, unless somebody asks for another. Shrinking
// a large document may take hours, so it has to be asked for too.
const { BOBBIN_SEED: seed = '1', BOBBIN_SHRINK: shrink } = process.env
fc.configureGlobal({ seed: Number(seed), endOnFailure: shrink === undefined })

// Whichever copy of undici comes first keeps the dispatcher for all of them. It is Node's own, as in the bot, where Discord
// is loaded before the web: otherwise files would not be sent in a worker that has read a page before.
new FormData()
