(** * Two clusters each: the largest adjusted Rand distance given the MED

    For a 2 x 2 table let d1 and d2 be the sums of the two diagonals.  Then RD = d1 d2 / C(n,2) and
    MED = min(d1,d2)/n.  Let d1 >= d2 >= 2 and n = d1 + d2 >= 9.  Of all the tables without empty row or
    column whose diagonals have the sums d1 and d2, the hook
        d1        d2/2 rounded up
        d2/2 rounded down      0
    has the largest adjusted Rand distance ARD = RD/E.  As RD is the same for all, this says that its E is
    the least.

    With u and v the squares of the differences on the two diagonals,
      16 M^2 E = const(n) + 2 Phi,   Phi = 2n(u+v) - (u-v)^2,
    concave in u and in v, so least at a corner of the rectangle of the possible (u,v).  The corner
    (d1^2, d2^2) is excluded (an empty row or column); (d1^2, 0 or 1) is the least of the others.  That part, on
    integers only, is TwoByTwoIntegers.v. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables TwoByTwoIntegers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Delimit Scope Z_scope with integer.   (* %Z is taken by mathcomp *)

(* ------------------------------------------------------------------ *)
(** ** Tables *)

Definition two_by_two (a b c e : nat) : table 2 2 := fun i j =>
  if i == ord0 then (if j == ord0 then a else b) else (if j == ord0 then c else e).

Definition diagonal_sum (x : table 2 2) : nat := x ord0 ord0 + x ord_max ord_max.
Definition antidiagonal_sum (x : table 2 2) : nat := x ord0 ord_max + x ord_max ord0.

Lemma two_indices (i : 'I_2) : i = ord0 \/ i = ord_max.
Proof. by case: i => [[|[|i]] hi] //; [left | right]; apply: val_inj. Qed.

Lemma sum_two (f : 'I_2 -> nat) : \sum_(i < 2) f i = f ord0 + f ord_max.
Proof. by rewrite big_ord_recl big_ord1; congr (_ + f _); apply: val_inj. Qed.

Lemma total_two_by_two x : total x = diagonal_sum x + antidiagonal_sum x.
Proof. by rewrite /total !sum_two /diagonal_sum /antidiagonal_sum; lia. Qed.

Theorem F_two_by_two x : F2 x = 2 * (diagonal_sum x * antidiagonal_sum x).
Proof.
have := F_exact x; rewrite /squares /row_sum /col_sum !sum_two /diagonal_sum /antidiagonal_sum -!mulnn.
by move: (F2 x) => f h; lia.
Qed.

Lemma best_two_by_two x : best x = maxn (diagonal_sum x) (antidiagonal_sum x).
Proof.
have swap_inj : injective (fun i : 'I_2 => if i == ord0 then ord_max else ord0 : 'I_2).
  by move=> [[|[|i]] hi] [[|[|j]] hj] //= _; apply: val_inj.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: best_le => f fi; rewrite sum_two leq_max /diagonal_sum /antidiagonal_sum.
  have : f ord0 != f ord_max by apply/eqP => /fi.
  by case: (two_indices (f ord0)) => ->; case: (two_indices (f ord_max)) => ->; rewrite ?eqxx // leqnn ?orbT.
by rewrite geq_max; apply/andP; split;
   [have := best_ge x (@inj_id 'I_2) | have := best_ge x swap_inj]; rewrite sum_two.
Qed.

Section Distances.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem RD_two_by_two x :
  RD x = (diagonal_sum x * antidiagonal_sum x)%N%:R / 'C(total x, 2)%:R.
Proof. by rewrite RD_F F_two_by_two !natrM -mulf_div divff ?mul1r // -natrM. Qed.

Theorem MED_two_by_two x : MED x = (minn (diagonal_sum x) (antidiagonal_sum x))%:R / (total x)%:R.
Proof. by rewrite MED_nat best_two_by_two total_two_by_two; congr (_%:R / _); lia. Qed.
End Distances.

(* ------------------------------------------------------------------ *)
(** ** The largest ARD at given sums of the diagonals *)

(* EE is 16 times the numerator of E *)
Lemma expected_numerator_EE (x : table 2 2) :
  (16 * Z.of_nat (expected_numerator x))%integer =
  EE (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max))
     (Z.of_nat (x ord_max ord0)) (Z.of_nat (x ord_max ord_max)).
Proof.
have := double_row_pairs x; have := double_col_pairs x; have := double_all_pairs x.
have := row_pairs_le x; have := col_pairs_le x.
rewrite /expected_numerator /EE /total /row_sum /col_sum !sum_two -!mulnn.
move: (row_pairs x) (col_pairs x) (all_pairs x) (x _ _) (x _ _) (x _ _) (x _ _) => A B M e c b a hB hA hM hC hR.
have eA : (4 * Z.of_nat A = A4 (Z.of_nat a) (Z.of_nat b) (Z.of_nat c) (Z.of_nat e))%integer.
  by rewrite /A4; nia.
have eB : (4 * Z.of_nat B = B4 (Z.of_nat a) (Z.of_nat b) (Z.of_nat c) (Z.of_nat e))%integer.
  by rewrite /B4; nia.
set n := (Z.of_nat a + Z.of_nat b + Z.of_nat c + Z.of_nat e)%integer.
have eM : (4 * Z.of_nat M = 2 * n * (n - 1))%integer by rewrite /n; nia.
rewrite -/n -eA -eB -eM.
have -> : (Z.of_nat (A * (M - B) + B * (M - A)) =
  Z.of_nat A * (Z.of_nat M - Z.of_nat B) + Z.of_nat B * (Z.of_nat M - Z.of_nat A))%integer.
  have -> : (Z.of_nat M - Z.of_nat B = Z.of_nat (M - B))%integer by clear -hB; lia.
  have -> : (Z.of_nat M - Z.of_nat A = Z.of_nat (M - A))%integer by clear -hA; lia.
  by move: (M - A) (M - B) => u v; clear; lia.
ring.
Qed.

(* the hook of the theorem; [uphalf m] is m/2 rounded up, [m./2] rounded down *)
Definition largest_ARD_table (d1 d2 : nat) : table 2 2 := two_by_two d1 (uphalf d2) d2./2 0.

Lemma largest_ARD_table_sums d1 d2 :
  diagonal_sum (largest_ARD_table d1 d2) = d1 /\ antidiagonal_sum (largest_ARD_table d1 d2) = d2.
Proof.
rewrite /diagonal_sum /antidiagonal_sum /largest_ARD_table /two_by_two /= addn0; split=> //.
by rewrite uphalf_half -addnA addnn -[RHS]odd_double_half.
Qed.

Lemma largest_ARD_table_in_class d1 d2 : 0 < d1 -> 1 < d2 ->
  in_class (d1 + d2) (largest_ARD_table d1 d2).
Proof.
move=> d10 d21; have [e1 e2] := largest_ARD_table_sums d1 d2.
have h : 0 < d2./2 by rewrite half_gt0.
rewrite /largest_ARD_table; set y := two_by_two _ _ _ _.
split; first by rewrite total_two_by_two e1 e2.
all: by move=> i; case: (two_indices i) => ->; rewrite /row_sum /col_sum sum_two /y /two_by_two /= ?addn0; lia.
Qed.

(* the sums of the diagonals of x are d1 and d2, in some order *)
Definition diagonals_are (d1 d2 : nat) (x : table 2 2) : Prop :=
  diagonal_sum x = d1 /\ antidiagonal_sum x = d2 \/ diagonal_sum x = d2 /\ antidiagonal_sum x = d1.

Theorem largest_ARD_two_by_two d1 d2 x : 2 <= d2 <= d1 -> 9 <= d1 + d2 ->
  in_class (d1 + d2) x -> diagonals_are d1 d2 x ->
  in_class (d1 + d2) (largest_ARD_table d1 d2) /\ (ARD x <= ARD (largest_ARD_table d1 d2))%R.
Proof.
move=> /andP [d22 d21] d9 xM dx; set y := largest_ARD_table d1 d2.
have yM : in_class (d1 + d2) y by apply: largest_ARD_table_in_class; lia.
split=> //.
have [y1 y2] := largest_ARD_table_sums d1 d2.
have Fx : F2 x = 2 * (d1 * d2) by rewrite F_two_by_two; case: dx => -[-> ->] //; rewrite [d2 * _]mulnC.
have Fy : F2 y = 2 * (d1 * d2) by rewrite F_two_by_two y1 y2.
have pos (z : table 2 2) : in_class (d1 + d2) z -> F2 z = 2 * (d1 * d2) -> 0 < all_pairs z /\ 0 < expected_numerator z.
  move=> zM Fz; have [tz _ _] := zM; split; first by rewrite /all_pairs tz bin_gt0; lia.
  apply: (expected_positive zM isT isT); have := F_pairs z; rewrite Fz.
  have : 0 < d1 * d2 by rewrite muln_gt0; apply/andP; split; lia.
  by move: (row_pairs z) (col_pairs z) (cell_pairs z) (d1 * d2) => A B P p; lia.
have [Mx Nx] := pos x xM Fx; have [My Ny] := pos y yM Fy.
have -> : ARD x = ((F2 x * all_pairs x)%N%:R / (2 * expected_numerator x)%N%:R)%R by apply: ARD_nat.
have -> : ARD y = ((F2 y * all_pairs y)%N%:R / (2 * expected_numerator y)%N%:R)%R by apply: ARD_nat.
have My_eq : all_pairs y = all_pairs x by case: xM yM => tx _ _ [ty _ _]; rewrite /all_pairs tx ty.
rewrite ratio_le ?muln_gt0 // Fx Fy My_eq leq_mul2l leq_mul2l; apply/orP; right; rewrite /=.
have := expected_numerator_EE x; have := expected_numerator_EE y.
have [_ R C] := xM; have := R ord0; have := R ord_max; have := C ord0; have := C ord_max.
rewrite /row_sum /col_sum !sum_two; move: dx; rewrite /diagonals_are /diagonal_sum /antidiagonal_sum => dx c1 c0 r1 r0.
have -> : y ord0 ord0 = d1 by [].
have -> : y ord0 ord_max = uphalf d2 by [].
have -> : y ord_max ord0 = d2./2 by [].
have -> : y ord_max ord_max = 0 by [].
have h2 : Z.of_nat d2./2 = (Z.of_nat d2 / 2)%integer.
  apply: (Z.div_unique _ 2 _ (Z.of_nat (odd d2))); first by left; case: (odd d2); lia.
  by have := odd_double_half d2; rewrite -mul2n; move: (odd d2) (d2./2) => b h; lia.
have h1 : Z.of_nat (uphalf d2) = (Z.of_nat d2 - Z.of_nat d2 / 2)%integer.
  by rewrite -h2 uphalf_half; have := odd_double_half d2; rewrite -mul2n; move: (odd d2) (d2./2) => b h; lia.
rewrite h1 h2 => ey ex.
have := @EE_least (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max)) (Z.of_nat (x ord_max ord0))
         (Z.of_nat (x ord_max ord_max)) (Z.of_nat d1) (Z.of_nat d2).
rewrite -ex -ey; lia.
Qed.
