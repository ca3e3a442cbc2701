//! Examples of instructions and of facts: what is near one of them in meaning is probably the same.
//!
//! A support vector machine with a radial kernel, over the most telling directions of the encoder's
//! vector. A component of an example takes one byte.

/// The examples, as `tools/screening/train.py` packs them.
pub(super) struct Examples {
    /// How many directions are left of a vector.
    directions: usize,
    /// A row for each component of the encoder's vector.
    projection: Vec<f32>,
    /// How fast likeness falls with distance.
    narrowness: f32,
    offset: f32,
    /// What one step of a byte is.
    step: f32,
    /// How much each example says for an instruction, or against it.
    votes: Vec<f32>,
    vectors: &'static [u8],
}

/// No vector of the encoder is longer; sums of squares of so many steps fit.
const STEPS_MAX: f32 = 2_000.0;

impl Examples {
    /// Parses the end of the weights, for vectors of so many components: five numbers, the
    /// projection, votes, vectors.
    pub(super) fn parse(packed: &'static [u8], components: usize) -> Examples {
        let (head, rest) = packed.split_at(4 * 5);
        let head = numbers(head);
        let (directions, count) = (head[0] as usize, head[1] as usize);
        let (projection, rest) = rest.split_at(4 * components * directions);
        let (votes, vectors) = rest.split_at(4 * count);
        assert_eq!(vectors.len(), count * directions, "a test reads the weights");
        Examples {
            directions,
            projection: numbers(projection),
            narrowness: head[2],
            offset: head[3],
            step: head[4],
            votes: numbers(votes),
            vectors,
        }
    }

    /// Tells whether a vector is nearer to instructions (above zero) or to facts. What the encoder
    /// does not understand is near nothing.
    pub(super) fn likeness(&self, vector: &[f32]) -> f32 {
        if vector.iter().all(|x| *x == 0.0) {
            return 0.0;
        }
        // In whole steps, as the examples are: the processor sums many small integers at once.
        let steps = |x: &f32| (x / self.step).round().clamp(-STEPS_MAX, STEPS_MAX) as i16;
        let point: Vec<i16> = self.projected(vector).iter().map(steps).collect();
        let scale = self.narrowness * self.step * self.step;
        let examples = self.vectors.chunks_exact(self.directions);
        let said = examples
            .zip(&self.votes)
            .map(|(example, vote)| vote * (-scale * distance(&point, example) as f32).exp());
        said.sum::<f32>() + self.offset
    }

    fn projected(&self, vector: &[f32]) -> Vec<f32> {
        let mut point = vec![0.0; self.directions];
        for (x, row) in vector.iter().zip(self.projection.chunks_exact(self.directions)) {
            point.iter_mut().zip(row).for_each(|(sum, w)| *sum += x * w);
        }
        point
    }
}

/// The square of how far an example is from a point, in steps.
fn distance(point: &[i16], example: &[u8]) -> i32 {
    let apart = |(x, byte): (&i16, &u8)| {
        let difference = i32::from(x.saturating_sub(i16::from(byte.cast_signed())));
        difference * difference
    };
    point.iter().zip(example).map(apart).sum()
}

/// Reads numbers of four bytes.
pub(super) fn numbers(bytes: &[u8]) -> Vec<f32> {
    let number = |four: &[u8]| four.try_into().map_or(0.0, f32::from_le_bytes);
    bytes.chunks_exact(4).map(number).collect()
}
