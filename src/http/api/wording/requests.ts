/** Requests of routes whose required properties alone say too little. */
export const PLATFORM_REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /general/oauth/token': {
    ...{ grant_type: 'authorization_code', code: 'svc_ac_example', client_id: 'cli_tides' },
    ...{ redirect_uri: 'https://tides.example/callback', code_verifier: 'a long random text' },
  },
  'POST /general/oauth/par': {
    ...{ client_id: 'cli_tides', client_secret: 'svc_cs_example', response_type: 'code' },
    ...{ redirect_uri: 'https://tides.example/callback', scope: 'newsletter:read', state: 'a random text' },
  },
  'POST /general/newsletter/signup': {
    ...{ project_id: 'prj_4kq8m2z7', email: 'ada@example.com', list_ids: [1] },
    consent_text: 'Yes, send me the weekly letter.',
  },
  'POST /user/developer/apps/{id}/try': {
    ...{ code: 'svc_ac_example', code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  },
  'POST /user/review-requests/{id}/reject': { comment: 'The listing shows another app.' },
  'POST /user/review-requests/{id}/request-changes': { comment: 'Please say where people find help.' },
  'POST /user/developer/apps/{id}/suspend': { comment: 'It writes to people who left.' },
  'POST /project/form-entries/delete': { project_id: 'prj_4kq8m2z7', entry_ids: [1] },
}
