/** The two parts of node-av that are used. Its main entry also loads what needs a newer Node, at twice the time. */
export * from 'node-av/constants';
export * from 'node-av/lib';
