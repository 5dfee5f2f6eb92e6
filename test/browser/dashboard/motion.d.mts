export declare function noteMotions(): void;
export declare function motionsSoFar(): Record<string, number>;
