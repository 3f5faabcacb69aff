/** The 79 operations of the specification, by scope: the end that the list of operations grows towards. */
export const SPECIFIED = {
  read: [
    '/schema/get', '/overview', '/contacts/list', '/contacts/stats', '/contacts/get', '/contacts/export', '/custom-fields/list', '/lists/list', '/tags/list',
    '/segments/list', '/segments/get', '/segments/preview', '/suppressions/list', '/settings/get', '/connections/list', '/templates/list', '/templates/get',
    '/render', '/campaigns/list', '/campaigns/get', '/campaigns/audience-count', '/campaigns/readiness', '/campaigns/stats', '/campaigns/events',
    '/campaigns/recipients', '/imports/list', '/imports/get', '/jobs/list', '/jobs/get',
  ],
  write: [
    '/contacts/upsert', '/contacts/update', '/contacts/delete', '/contacts/unsubscribe', '/contacts/reset-status', '/contacts/membership', '/contacts/tags',
    '/contacts/bulk', '/custom-fields/create', '/custom-fields/update', '/custom-fields/delete', '/lists/create', '/lists/update', '/tags/create', '/tags/update',
    '/tags/delete', '/segments/create', '/segments/update', '/segments/delete', '/segments/materialize', '/suppressions/add', '/suppressions/remove',
    '/templates/create', '/templates/update', '/templates/delete', '/campaigns/create', '/campaigns/update', '/campaigns/duplicate', '/campaigns/delete',
    '/campaigns/unschedule', '/campaigns/pause', '/campaigns/cancel', '/imports/create', '/imports/dry-run', '/imports/commit', '/imports/cancel',
  ],
  send: ['/campaigns/send', '/campaigns/schedule', '/campaigns/resume', '/campaigns/requeue-failed', '/campaigns/test-send', '/jobs/requeue'],
  admin: [
    '/lists/delete', '/settings/update', '/connections/create', '/connections/update', '/connections/delete', '/connections/test', '/connections/verify-dns',
    '/connections/webhook-urls',
  ],
} as const

/** Reads whose scope is not `read` (contract-details 4). */
export const OTHER_READS: readonly string[] = ['/connections/webhook-urls']
