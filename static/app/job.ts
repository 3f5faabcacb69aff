import { lineWords } from './api/letter-name.ts'
import type { Job } from './api/operations.d.ts'
import { link } from './api/link.ts'

export type { Job }

const ACTIONS: Record<NonNullable<Job['action']>, string> = {
  add_to_list: 'Adding contacts to a list',
  remove_from_list: 'Removing contacts from a list',
  add_tags: 'Tagging contacts',
  remove_tags: 'Removing tags from contacts',
  unsubscribe: 'Unsubscribing contacts',
  delete: 'Deleting contacts',
}
const KINDS: Record<Job['kind'], string> = {
  bulk: 'Change of many contacts',
  import: 'Import',
  segment_materialize: 'Tagging a segment',
  campaign_prepare: 'Preparing a campaign',
  import_examine: 'Reading a file',
}

/** What a job does, and to what: "Preparing a campaign: May letter". */
export function jobName({ kind, action, about }: Job): string {
  const doing = action === null ? KINDS[kind] : ACTIONS[action]
  return about?.name ? `${doing}: ${about.type === 'campaign' ? lineWords(about.name) : about.name}` : doing
}

/** The jobs whose progress and end the page shows by itself. */
export const shownJobs = new Set<number>()

const PLACES: Record<NonNullable<Job['about']>['type'], (id: number) => string> = {
  campaign: (id) => link(`/campaigns/${id}`),
  import: (id) => link(`/imports/${id}`),
  segment: (id) => link(`/segments/${id}`),
  list: () => link('/lists'),
  tag: () => link('/lists'),
}

/** The page of a job's subject; the list of jobs when there are several. */
export function jobHref({ about }: Job): string {
  return about === null ? link('/activity') : PLACES[about.type](about.id)
}
