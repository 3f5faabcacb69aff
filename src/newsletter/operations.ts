import type { Operation } from '../operation/declare.ts'
import { bulkContacts } from './contacts/bulk.operations.ts'
import { exportContacts } from './contacts/export.operations.ts'
import {
  changeTags,
  contactStats,
  deleteContact,
  listContacts,
  readContact,
  resetStatus,
  unsubscribeContact,
  updateContact,
} from './contacts/contacts.operations.ts'
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from './contacts/custom-fields.operations.ts'
import { createList, deleteList, listLists, updateList } from './lists/lists.operations.ts'
import { changeMembership } from './consent/memberships.operations.ts'
import { materializeSegment } from './segments/materialize.operations.ts'
import {
  createSegment,
  deleteSegment,
  listSegments,
  previewSegment,
  readSegment,
  updateSegment,
} from './segments/segments.operations.ts'
import { addSuppression, listSuppressions, removeSuppression } from './suppressions/suppressions.operations.ts'
import { createTag, deleteTag, listTags, updateTag } from './lists/tags.operations.ts'
import { upsertContact } from './contacts/upsert.operations.ts'
import { audienceCount } from './campaigns/audience-count.operations.ts'
import {
  createCampaign,
  deleteCampaign,
  listCampaigns,
  showCampaign,
  updateCampaign,
} from './campaigns/campaigns.operations.ts'
import {
  cancelCampaign,
  duplicateCampaign,
  pauseCampaign,
  requeueFailed,
  resumeCampaign,
  scheduleCampaign,
  unscheduleCampaign,
} from './campaigns/lifecycle.operations.ts'
import { campaignReadiness } from './campaigns/readiness.operations.ts'
import { render } from './campaigns/render.operations.ts'
import { campaignEvents, campaignRecipients } from './campaigns/reports.operations.ts'
import { sendCampaign, testSend } from './campaigns/sending.operations.ts'
import { campaignStats } from './campaigns/stats.operations.ts'
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  showTemplate,
  updateTemplate,
} from './templates/templates.operations.ts'
import { createConnection, deleteConnection, updateConnection } from './connections/connection-edit.operations.ts'
import { testConnection } from './connections/connection-test.operations.ts'
import { webhookUrls } from './connections/webhook-urls.operations.ts'
import { listConnections } from './connections/connections.operations.ts'
import { showSettings, updateSettings } from './connections/settings.operations.ts'
import { verifyDns } from './connections/verify-dns.operations.ts'
import {
  cancelImport,
  commitImport,
  createImport,
  dryRunImport,
  listImports,
  showImport,
} from './imports/imports.operations.ts'
import { listJobs, requeueJob, showJob } from './jobs/jobs.operations.ts'
import { overview } from './overview.ts'
import { getSchema } from './schema-get.ts'

/**
 * All operations of the newsletter, by the scope they need. The v1 API, the dashboard, the OpenAPI document and the
 * tests that call every operation are made from this list.
 */
export const operations: readonly Operation[] = [
  // newsletter:read
  getSchema,
  overview,
  listContacts,
  contactStats,
  readContact,
  exportContacts,
  listCustomFields,
  listLists,
  listTags,
  listSegments,
  readSegment,
  previewSegment,
  listSuppressions,
  showSettings,
  listConnections,
  listTemplates,
  showTemplate,
  render,
  listCampaigns,
  showCampaign,
  audienceCount,
  campaignReadiness,
  campaignStats,
  campaignEvents,
  campaignRecipients,
  listImports,
  showImport,
  listJobs,
  showJob,
  // newsletter:write
  upsertContact,
  updateContact,
  deleteContact,
  unsubscribeContact,
  resetStatus,
  changeMembership,
  changeTags,
  bulkContacts,
  createCustomField,
  updateCustomField,
  deleteCustomField,
  createList,
  updateList,
  createTag,
  updateTag,
  deleteTag,
  createSegment,
  updateSegment,
  deleteSegment,
  materializeSegment,
  addSuppression,
  removeSuppression,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  createCampaign,
  updateCampaign,
  duplicateCampaign,
  deleteCampaign,
  unscheduleCampaign,
  pauseCampaign,
  cancelCampaign,
  createImport,
  dryRunImport,
  commitImport,
  cancelImport,
  // newsletter:send
  sendCampaign,
  scheduleCampaign,
  resumeCampaign,
  requeueFailed,
  testSend,
  requeueJob,
  // newsletter:admin
  deleteList,
  updateSettings,
  createConnection,
  updateConnection,
  deleteConnection,
  testConnection,
  verifyDns,
  webhookUrls,
]
