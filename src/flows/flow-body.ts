import { LargeBody } from '../http/large-body';
import { MAX_FLOW_KIB } from './graph-limits';

/** With 12 surveys of 20 options in 30 languages, a flow has some 9,000. */
const MAX_VALUES = 20_000;

/** Lets a route take a flow in all its languages. */
export const FlowBody = () => LargeBody(MAX_FLOW_KIB * 1024, MAX_VALUES);
