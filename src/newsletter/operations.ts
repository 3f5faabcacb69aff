import type { Operation } from '../operation/declare.ts'
import { bulkContacts } from './audience/bulk.ts'
import { deleteContact, unsubscribeContact, updateContact } from './audience/contact-edit.ts'
import { exportContacts } from './audience/contact-export.ts'
import { readContact } from './audience/contact-get.ts'
import { listContacts } from './audience/contact-list.ts'
import { contactStats } from './audience/contact-stats.ts'
import { changeTags } from './audience/contact-tags.ts'
import { createCustomField, deleteCustomField, listCustomFields, updateCustomField } from './audience/custom-fields.ts'
import { createList, deleteList, listLists, updateList } from './audience/lists.ts'
import { changeMembership } from './audience/memberships.ts'
import { resetStatus } from './audience/reset-status.ts'
import { materializeSegment } from './audience/segment-materialize.ts'
import {
  createSegment,
  deleteSegment,
  listSegments,
  previewSegment,
  readSegment,
  updateSegment,
} from './audience/segments.ts'
import { addSuppression, listSuppressions, removeSuppression } from './audience/suppressions.ts'
import { createTag, deleteTag, listTags, updateTag } from './audience/tags.ts'
import { upsertContact } from './audience/upsert.ts'
import { audienceCount } from './campaigns/audience-count.ts'
import { createCampaign, deleteCampaign, listCampaigns, showCampaign, updateCampaign } from './campaigns/campaigns.ts'
import {
  cancelCampaign,
  duplicateCampaign,
  pauseCampaign,
  requeueFailed,
  resumeCampaign,
  scheduleCampaign,
  unscheduleCampaign,
} from './campaigns/life.ts'
import { campaignReadiness } from './campaigns/readiness.ts'
import { render } from './campaigns/render.ts'
import { campaignEvents, campaignRecipients } from './campaigns/reports.ts'
import { sendCampaign, testSend } from './campaigns/sending.ts'
import { campaignStats } from './campaigns/stats.ts'
import { createTemplate, deleteTemplate, listTemplates, showTemplate, updateTemplate } from './campaigns/templates.ts'
import { createConnection, deleteConnection, updateConnection } from './delivery/connection-changes.ts'
import { testConnection } from './delivery/connection-test.ts'
import { webhookUrls } from './delivery/connection-webhooks.ts'
import { listConnections } from './delivery/connections.ts'
import { showSettings, updateSettings } from './delivery/settings.ts'
import { verifyDns } from './delivery/verify-dns.ts'
import { commitImport } from './imports/commit.ts'
import { dryRunImport } from './imports/dry-run.ts'
import { cancelImport, createImport, listImports, showImport } from './imports/imports.ts'
import { listJobs, requeueJob, showJob } from './jobs/jobs.ts'
import { overview } from './overview.ts'
import { getSchema } from './schema-get.ts'

/**
 * Every newsletter operation that works, in the order of the specification. Both doors, the OpenAPI document and
 * the test suite that goes through all of them read this list.
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
