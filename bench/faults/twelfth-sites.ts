import type { Fault } from '../faults.ts'

/** Faults of sites, accounts, apps, scripts and projects that no test noticed at first. */
export const faults: Fault[] = [
  {
    name: 'emptied-word-of-the-banner',
    harm: 'A word of the banner that its owner emptied is missing, in place of the usual one.',
    file: 'src/sites/consent.ts',
    find: 'consent_words[name] || words',
    replace: 'consent_words[name] ?? words',
  },
  {
    name: 'no-mode-for-advertising',
    harm: 'A site with advertising scripts only does not tell the measuring services what the visitor chose.',
    file: 'src/sites/consent.ts',
    find: "const measures = kinds.has('analytics') || kinds.has('advertising')",
    replace: "const measures = kinds.has('analytics')",
  },
  {
    name: 'directory-changed-when-made',
    harm: 'A directory says when its newest item was made, and not when one changed last.',
    file: 'src/sites/directory.ts',
    find: 'max(updated_at) AS updated_at',
    replace: 'max(created_at) AS updated_at',
  },
  {
    name: 'own-feed-hidden',
    harm: "A site that uploads a feed or a sitemap of its own shows the product's.",
    file: 'src/sites/hosted.ts',
    find: `      (await siteFileAt(db, request.project_id, pathname)) ??
      (await madeAt(request, pathname, () => archive.paths(request))) ??`,
    replace: `      (await madeAt(request, pathname, () => archive.paths(request))) ??
      (await siteFileAt(db, request.project_id, pathname)) ??`,
  },
  {
    name: 'preview-links-below-the-service',
    harm: "A preview on the domain of a project links to pages below the service's own address.",
    file: 'src/sites/hosted.ts',
    find: `post_id === null) return null
      const made = await previewOf(requestOf(site, project_id), post_id)`,
    replace: `post_id === null) return null
      const made = await previewOf({ ...requestOf(site, project_id), by_slug: true }, post_id)`,
  },
  {
    name: 'preview-of-nothing-found',
    harm: 'A preview of a script at an unknown address answers as if there were such a page.',
    file: 'src/sites/hosted.ts',
    find: "return { kind: 'page', status: source.status, asks_consent",
    replace: "return { kind: 'page', status: 200, asks_consent",
  },
  {
    name: 'script-in-an-open-select',
    harm: 'A script at the end of a page stands in a list of choices that the page never closes, and drops its markup.',
    file: 'src/sites/insertion-points.ts',
    find: `  TAG_ID.SELECT,
`,
    replace: '',
  },
  {
    name: 'script-in-an-open-noscript',
    harm: 'A script at the end of a page that leaves a noscript element open is text and does not run.',
    file: 'src/sites/insertion-points.ts',
    find: `  TAG_ID.NOSCRIPT,
`,
    replace: '',
  },
]
