import { LargeBody } from '../platform/http/bodies/large-body';

/**
 * Lets a route take a flow in all its languages: with 12 surveys of 20 options in 30 languages, it has some 9,000
 * values.
 */
export const FlowBody = () => LargeBody({ values: 20_000 });
