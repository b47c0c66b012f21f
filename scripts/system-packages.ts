/** Debian packages that some tests need, the program by which each is known, and what is left out without it. */
export const systemPackages = [
  { name: 'chromium', program: '/usr/bin/chromium', for: 'the console in a real browser' },
  { name: 'bubblewrap', program: '/usr/bin/bwrap', for: 'commands and scripts in their sandbox' },
]
