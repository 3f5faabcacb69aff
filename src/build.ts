import { version } from '../package.json'

/** Set by bin/build.ts; not declared where the program runs from a checkout. */
declare const MASTHEAD_BUILD: { id: string; date: string } | undefined

export { version }

/** The build of this program: the commit that it was made of, or a hash of its sources, and the day of the commit. */
export const build = typeof MASTHEAD_BUILD === 'undefined' ? { id: 'checkout', date: null } : MASTHEAD_BUILD

/** Version and build, for people. */
export const release =
  build.date === null
    ? `masthead ${version} (from a checkout)`
    : `masthead ${version} (build ${build.id} of ${build.date})`
