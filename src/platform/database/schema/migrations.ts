import { Initial1796000000000 } from '../../../../migrations/1796000000000-initial';
import { LinksEnd1796200000000 } from '../../../../migrations/1796200000000-links-end';
import { ProvenAddresses1796200000001 } from '../../../../migrations/1796200000001-proven-addresses';
import { SessionEnds1796300000000 } from '../../../../migrations/1796300000000-session-ends';
import { IndexesOfEnds1796300000001 } from '../../../../migrations/1796300000001-indexes-of-ends';
import { KeepInBilling1796400000000 } from '../../../../migrations/1796400000000-keep-in-billing';
import { WaitingJobs1796400000001 } from '../../../../migrations/1796400000001-waiting-jobs';
import { OffersAndOutcomes1796500000000 } from '../../../../migrations/1796500000000-offers-and-outcomes';
import { IndexesOfAcceptances1796500000001 } from '../../../../migrations/1796500000001-indexes-of-acceptances';
import { StepsWithoutIndexes1796600000000 } from '../../../../migrations/1796600000000-steps-without-indexes';
import { CountsOfWorkspaces1796700000000 } from '../../../../migrations/1796700000000-counts-of-workspaces';
import { IndexesOfOwnKeys1796700000001 } from '../../../../migrations/1796700000001-indexes-of-own-keys';
import { OfferVersions1796800000000 } from '../../../../migrations/1796800000000-offer-versions';
import { WordsOfComments1796800000001 } from '../../../../migrations/1796800000001-words-of-comments';
import { Jurisdictions1796800000002 } from '../../../../migrations/1796800000002-jurisdictions';
import { WordsAfterAccepting1796800000003 } from '../../../../migrations/1796800000003-words-after-accepting';
import { PreviewsOfSubscriptions1796800000004 } from '../../../../migrations/1796800000004-previews-of-subscriptions';
import { DeclarationsDone1796800000005 } from '../../../../migrations/1796800000005-declarations-done';
import { FormatsOfWebhooks1796800000006 } from '../../../../migrations/1796800000006-formats-of-webhooks';
import { ChoicesInSteps1796900000001 } from '../../../../migrations/1796900000001-choices-in-steps';
import { Images1796900000002 } from '../../../../migrations/1796900000002-images';
import { StrippedImages1796900000003 } from '../../../../migrations/1796900000003-stripped-images';
import { WordsToSearch1796900000004 } from '../../../../migrations/1796900000004-words-to-search';
import { IndexesOfWords1796900000005 } from '../../../../migrations/1796900000005-indexes-of-words';
import { PausesOfWebhooks1796900000006 } from '../../../../migrations/1796900000006-pauses-of-webhooks';
import { RolesOfGroups1796900000007 } from '../../../../migrations/1796900000007-roles-of-groups';
import { Carriers1796900000008 } from '../../../../migrations/1796900000008-carriers';
import { Effects1796900000009 } from '../../../../migrations/1796900000009-effects';
import { UnreadSubscriptions1796900000010 } from '../../../../migrations/1796900000010-unread-subscriptions';
import { PausedOutcomes1796900000011 } from '../../../../migrations/1796900000011-paused-outcomes';
import { OfferLimits1796900000012 } from '../../../../migrations/1796900000012-offer-limits';
import { Accounts1796900000013 } from '../../../../migrations/1796900000013-accounts';
import { NoticesOfEnds1796900000014 } from '../../../../migrations/1796900000014-notices-of-ends';
import { IndexesOfEnds1796900000015 } from '../../../../migrations/1796900000015-indexes-of-ends';
import { TypesOfOutcomes1796900000016 } from '../../../../migrations/1796900000016-types-of-outcomes';
import { ToldEnds1796900000017 } from '../../../../migrations/1796900000017-told-ends';
import { Facts1796900000018 } from '../../../../migrations/1796900000018-facts';
import { FactsOfPreviews1796900000019 } from '../../../../migrations/1796900000019-facts-of-previews';
import { WordsAfterCancelling1796900000020 } from '../../../../migrations/1796900000020-words-after-cancelling';
import { WordsAfterCancellingInDrafts1796900000021 } from '../../../../migrations/1796900000021-words-after-cancelling-in-drafts';
import { Audiences1796900000022 } from '../../../../migrations/1796900000022-audiences';
import { HeldAudiences1796900000023 } from '../../../../migrations/1796900000023-held-audiences';
import { PlansThatChangeLater1796900000024 } from '../../../../migrations/1796900000024-plans-that-change-later';
import { DrawsOfSplits1796900000025 } from '../../../../migrations/1796900000025-draws-of-splits';
import { PartsLeft1796900000026 } from '../../../../migrations/1796900000026-parts-left';
import { TestWorkspaces1796900000027 } from '../../../../migrations/1796900000027-test-workspaces';
import { SourcesOfSessions1796900000028 } from '../../../../migrations/1796900000028-sources-of-sessions';
import { NodesOfOnesOwn1796900000029 } from '../../../../migrations/1796900000029-nodes-of-ones-own';
import { OpenOffers1796900000030 } from '../../../../migrations/1796900000030-open-offers';
import { OpenOffersInVersions1796900000031 } from '../../../../migrations/1796900000031-open-offers-in-versions';
import { OpenOffersInDrafts1796900000032 } from '../../../../migrations/1796900000032-open-offers-in-drafts';
import { ContactedSessions1796900000033 } from '../../../../migrations/1796900000033-contacted-sessions';
import { SumsOfContactedSessions1796900000034 } from '../../../../migrations/1796900000034-sums-of-contacted-sessions';
import { KeptOutcomes1796900000035 } from '../../../../migrations/1796900000035-kept-outcomes';
import { TypesOfSteps1796900000036 } from '../../../../migrations/1796900000036-types-of-steps';
import { StatusesOfSessions1796900000037 } from '../../../../migrations/1796900000037-statuses-of-sessions';
import { KeptAmongOutcomes1796900000038 } from '../../../../migrations/1796900000038-kept-among-outcomes';
import { KeptSessions1796900000039 } from '../../../../migrations/1796900000039-kept-sessions';
import { IndexOfKeptSessions1796900000040 } from '../../../../migrations/1796900000040-index-of-kept-sessions';
import { Install1796900000041 } from '../../../../migrations/1796900000041-install';
import { ConditionsOfWebhooks1796900000042 } from '../../../../migrations/1796900000042-conditions-of-webhooks';
import { Brand1796900000043 } from '../../../../migrations/1796900000043-brand';
import { ConfirmedDeclarations1796900000044 } from '../../../../migrations/1796900000044-confirmed-declarations';
import { OfferedOffers1796900000045 } from '../../../../migrations/1796900000045-offered-offers';
import { OfferedInVersions1796900000046 } from '../../../../migrations/1796900000046-offered-in-versions';
import { OfferedInDrafts1796900000047 } from '../../../../migrations/1796900000047-offered-in-drafts';
import { Digests1796900000048 } from '../../../../migrations/1796900000048-digests';

/** Every migration, oldest first. */
export const migrations = [
  Initial1796000000000,
  LinksEnd1796200000000,
  ProvenAddresses1796200000001,
  SessionEnds1796300000000,
  IndexesOfEnds1796300000001,
  KeepInBilling1796400000000,
  WaitingJobs1796400000001,
  OffersAndOutcomes1796500000000,
  IndexesOfAcceptances1796500000001,
  StepsWithoutIndexes1796600000000,
  CountsOfWorkspaces1796700000000,
  IndexesOfOwnKeys1796700000001,
  OfferVersions1796800000000,
  WordsOfComments1796800000001,
  Jurisdictions1796800000002,
  WordsAfterAccepting1796800000003,
  PreviewsOfSubscriptions1796800000004,
  DeclarationsDone1796800000005,
  FormatsOfWebhooks1796800000006,
  ChoicesInSteps1796900000001,
  Images1796900000002,
  StrippedImages1796900000003,
  WordsToSearch1796900000004,
  IndexesOfWords1796900000005,
  PausesOfWebhooks1796900000006,
  RolesOfGroups1796900000007,
  Carriers1796900000008,
  Effects1796900000009,
  UnreadSubscriptions1796900000010,
  PausedOutcomes1796900000011,
  OfferLimits1796900000012,
  Accounts1796900000013,
  NoticesOfEnds1796900000014,
  IndexesOfEnds1796900000015,
  TypesOfOutcomes1796900000016,
  ToldEnds1796900000017,
  Facts1796900000018,
  FactsOfPreviews1796900000019,
  WordsAfterCancelling1796900000020,
  WordsAfterCancellingInDrafts1796900000021,
  Audiences1796900000022,
  HeldAudiences1796900000023,
  PlansThatChangeLater1796900000024,
  DrawsOfSplits1796900000025,
  PartsLeft1796900000026,
  TestWorkspaces1796900000027,
  SourcesOfSessions1796900000028,
  NodesOfOnesOwn1796900000029,
  OpenOffers1796900000030,
  OpenOffersInVersions1796900000031,
  OpenOffersInDrafts1796900000032,
  ContactedSessions1796900000033,
  SumsOfContactedSessions1796900000034,
  KeptOutcomes1796900000035,
  TypesOfSteps1796900000036,
  StatusesOfSessions1796900000037,
  KeptAmongOutcomes1796900000038,
  KeptSessions1796900000039,
  IndexOfKeptSessions1796900000040,
  Install1796900000041,
  ConditionsOfWebhooks1796900000042,
  Brand1796900000043,
  ConfirmedDeclarations1796900000044,
  OfferedOffers1796900000045,
  OfferedInVersions1796900000046,
  OfferedInDrafts1796900000047,
  Digests1796900000048,
];
